package io.sluice.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.App;
import io.sluice.testing.Outputs.Out;
import io.sluice.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.junit.jupiter.api.Test;

/** Test of lost records from several tasks of one thread, with a real broker and Kafka Streams. */
class FailedSendsIT {
  private static final int USERS = 20; // on both partitions

  /**
   * Whether sends to the allowed topic fail; reset after all users' records have failed at once.
   */
  private static final AtomicBoolean FAILING = new AtomicBoolean();

  private final Servers servers = Servers.shared();

  /** Client supplier of producers whose sends may fail. */
  public static final class FailingClients extends DefaultKafkaClientSupplier {
    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
      return new FailingProducer(config);
    }
  }

  private static final class FailingProducer extends KafkaProducer<byte[], byte[]> {
    private final List<Callback> held = new ArrayList<>();

    FailingProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (!FAILING.get() || !record.topic().contains("allowed")) {
        return super.send(record, callback);
      }
      held.add(callback);
      return new CompletableFuture<>();
    }

    @Override
    public void flush() {
      super.flush();
      if (held.size() >= USERS) FAILING.set(false);
      List<Callback> failed = List.copyOf(held);
      held.clear();
      failed.forEach(each -> each.onCompletion(null, new TimeoutException("it took too long")));
    }
  }

  @Test
  void atLeastOnceNoTaskGoesOnAsIfItsRecordsHadArrived() throws Exception {
    FAILING.set(true);
    try (App app =
        new App(
            servers,
            "sluice.limits=reply",
            "sluice.limit.reply.match.action=reply",
            "sluice.limit.reply.quota=1000/1h",
            "sluice.topics.partitions=2",
            "num.stream.threads=1",
            "processing.guarantee=at_least_once",
            "commit.interval.ms=1000",
            "default.client.supplier=" + FailingClients.class.getName())) {
      for (int user = 0; user < USERS; user++) app.load.publish("user" + user, "reply");
      await().untilFalse(FAILING);

      List<String> published = app.load.published();
      await()
          .untilAsserted(
              () -> assertThat(app.outputs.all()).extracting(Out::id).containsAll(published));
      assertThat(app.sluice.hasFailed()).isFalse();
    }
  }
}
