package io.sluice.cli.redrive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.RedriveCli;
import io.sluice.cli.redrive.LetterTopics.Letter;
import io.sluice.embedded.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the rights that the command needs: each missing one is named, and no others are needed.
 */
@Timeout(180)
@Tag("slow") // rights are granted one after another, and brokers learn of them later
class RedriveDeniedIT {
  @TempDir private Path folder;

  private static AclBinding right(AclOperation operation, ResourceType of, String name) {
    boolean isPrefix = name.endsWith("-");
    return new AclBinding(
        new ResourcePattern(of, name, isPrefix ? PatternType.PREFIXED : PatternType.LITERAL),
        new AccessControlEntry("User:sender", "*", operation, AclPermissionType.ALLOW));
  }

  @Test
  void eachMissingRightIsNamed() throws Exception {
    Map<String, String> passwords = Map.of("admin", "secret", "sender", "secret too");
    EmbeddedKafka secured = EmbeddedKafka.builder().users(passwords).start();
    try (LetterTopics topics = new LetterTopics(secured, secured.login("admin"))) {
      topics.create("in", Map.of());
      topics.create("dead", Map.of());
      topics.write(
          "dead", List.of(new Letter("{\"userId\":\"a\",\"action\":\"b\"}", "empty", "in-0-1")));
      Map<String, String> settings = topics.settings("app");
      settings.putAll(secured.login("sender"));
      settings.put("sluice.topics.input", "in");
      settings.put("sluice.topics.dead-letter", "dead");
      settings.put("sluice.limits.live", "false");
      RedriveCli redrive = LetterTopics.redrive(folder, settings);

      assertNames("READ topic dead", redrive);
      grant(topics, right(AclOperation.READ, ResourceType.TOPIC, "dead"));
      assertNames("WRITE topic in", redrive);
      grant(topics, right(AclOperation.READ, ResourceType.TOPIC, "in")); // as the application has
      assertNames("READ topic app-redriven", redrive);
      grant(topics, right(AclOperation.READ, ResourceType.TOPIC, "app-"));
      assertNames("CREATE topic app-redriven", redrive);
      grant(topics, right(AclOperation.CREATE, ResourceType.TOPIC, "app-"));
      assertNames("WRITE every transactional id that begins with app-", redrive);
      grant(topics, right(AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, "app-"));
      assertNames("WRITE topic in", redrive);
      grant(topics, right(AclOperation.WRITE, ResourceType.TOPIC, "in"));
      assertNames("WRITE topic app-redriven", redrive);
      grant(topics, right(AclOperation.WRITE, ResourceType.TOPIC, "app-"));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(redrive.run().exitCode()).isZero());
      assertThat(topics.committed("in")).hasSize(1);
    }
  }

  private static void grant(LetterTopics topics, AclBinding right) throws Exception {
    topics.admin.createAcls(List.of(right)).all().get();
  }

  private static void assertNames(String right, RedriveCli redrive) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              RedriveCli.Result denied = redrive.run();
              assertThat(denied.exitCode()).isEqualTo(1);
              assertThat(denied.err())
                  .last()
                  .asString()
                  .startsWith("not allowed to ")
                  .contains(right + " as User:sender");
            });
  }
}
