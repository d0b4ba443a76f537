package io.sluice.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.live.kafka.FollowedTopic;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.testing.Servers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Test of a program that follows the topic of revisions and is suspended for longer than the topic
 * keeps tombstones.
 */
class ForgottenDeletionIT {
  private static final Duration MOST = Duration.ofMinutes(1);
  private static final long A_DAY_MS = 86_400_000;

  private final Servers servers = Servers.shared();
  private final AtomicLong nowMs = new AtomicLong(Topic.NOW_MS);

  @Test
  void itIsReadFromItsBeginning() throws Exception {
    String name = "forgotten-limits";
    Map<String, String> kafka = Map.of("bootstrap.servers", servers.kafka.bootstrapServers());
    try (Admin admin = Admin.create(Map.copyOf(kafka))) {
      admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
      publish(name, "a");
      LimitsInForce configured = LimitsInForce.of(Topic.CONFIG);
      FollowedTopic topic = new FollowedTopic(name, kafka, "follower");
      try (RevisionFollower follower =
          new RevisionFollower(
              configured, configured, topic, () -> Instant.ofEpochMilli(nowMs.get()))) {
        follower.start();
        await().atMost(MOST).until(() -> follower.now().size() == 1);
        assertThat(follower.standing().current()).isTrue();
        // Compaction does this when the tombstone is old enough.
        RecordsToDelete all = RecordsToDelete.beforeOffset(1);
        admin.deleteRecords(Map.of(new TopicPartition(name, 0), all)).all().get();
        publish(name, "b", "c");
        await().atMost(MOST).until(() -> follower.now().size() == 3);

        nowMs.addAndGet(A_DAY_MS / 2 + 1_000);
        await().atMost(MOST).until(() -> follower.now().size() == 2);
        assertThat(follower.standing().current()).isTrue();
      }
    }
  }

  private void publish(String topic, String... ids) throws Exception {
    List<byte[]> keys = List.of(ids).stream().map(id -> id.getBytes(UTF_8)).toList();
    servers.publish(topic, keys, keys.stream().map(id -> Topic.quota(9).getBytes(UTF_8)).toList());
  }
}
