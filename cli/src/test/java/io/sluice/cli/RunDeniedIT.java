package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedKafka;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code sluice run} with a Kafka user that lacks rights. */
class RunDeniedIT {
  @TempDir private Path folder;

  @Test
  void itEndsWithOneLineAndOne() throws Exception {
    try (EmbeddedKafka kafka =
        EmbeddedKafka.builder().users(Map.of("admin", "a", "ann", "b")).start()) {
      assertThat(run(kafka)).startsWith("1: not allowed to ").contains("READ topic user-actions");

      allowAllTopics(kafka); // so that it starts, and fails when it joins its group
      assertThat(run(kafka))
          .startsWith("1: not allowed to READ group denied as User:ann; grant it: ");
    }
  }

  /** Returns the exit code and the line on standard error. */
  private String run(EmbeddedKafka kafka) throws Exception {
    List<String> lines = new ArrayList<>();
    kafka.login("ann").forEach((key, value) -> lines.add(key + "=" + value));
    lines.add("bootstrap.servers=" + kafka.bootstrapServers());
    lines.add("application.id=denied");
    lines.add("state.dir=" + folder);
    lines.add("sluice.limits=all");
    lines.add("sluice.limit.all.quota=1/1s");
    Path file = Files.write(folder.resolve("denied.properties"), lines);
    StringWriter err = new StringWriter();
    CommandLine sluice = SluiceMain.commandLine(CommandLine.defaultFactory());
    sluice.setErr(new PrintWriter(err, true));
    int exitCode = sluice.execute("run", "--config", file.toString());
    assertThat(err.toString().strip()).hasLineCount(1);
    return exitCode + ": " + err.toString().strip();
  }

  private static void allowAllTopics(EmbeddedKafka kafka) throws Exception {
    Map<String, Object> settings = new HashMap<>(kafka.login("admin"));
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      AclBinding all =
          new AclBinding(
              new ResourcePattern(ResourceType.TOPIC, "*", PatternType.LITERAL),
              new AccessControlEntry("User:ann", "*", AclOperation.ALL, AclPermissionType.ALLOW));
      admin.createAcls(List.of(all)).all().get();
    }
  }
}
