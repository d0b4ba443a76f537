package io.sluice.bench.apps;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Workplace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Publishes revisions that give some users a quota of their own, equal to the quota of all users.
 * So the verdicts stay the same, and the benchmark measures the cost of finding the revisions.
 */
final class Overrides {
  private static final long EFFECTIVE_AT_MS = 1_000_000_000_000L;

  private Overrides() {}

  /**
   * Publishes this many revisions, each with another effective time, before the application starts.
   */
  static void publish(int count, Workplace workplace) {
    String topic = workplace.applicationId() + "-limits";
    Map<String, Object> client =
        Map.of("bootstrap.servers", workplace.bootstrapServers(), "linger.ms", 20);
    try (Admin admin = Admin.create(client)) {
      NewTopic limits = new NewTopic(topic, 1, (short) 1);
      Map<String, String> compacted = Map.of("cleanup.policy", "compact");
      admin.createTopics(List.of(limits.configs(compacted))).all().get();
      publish(count, topic, client);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the overrides cannot be published", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while publishing overrides", e);
    }
  }

  private static void publish(int count, String topic, Map<String, Object> client)
      throws ExecutionException, InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>(count);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < count; i++) {
        byte[] key = ("override-" + i).getBytes(UTF_8);
        sent.add(producer.send(new ProducerRecord<>(topic, key, revision(i).getBytes(UTF_8))));
      }
      for (Future<RecordMetadata> each : sent) each.get();
    }
  }

  private static String revision(int user) {
    return "{\"limit\":\"measured\",\"for\":{\"userId\":\"user-%d\"},\"effectiveAt\":%d,\"set\":{\"quota\":\"%s\"}}"
        .formatted(user, EFFECTIVE_AT_MS + user, Workload.QUOTA);
  }
}
