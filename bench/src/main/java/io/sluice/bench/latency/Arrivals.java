package io.sluice.bench.latency;

import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.WrongResultException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Consumer of the topic of allowed events, which records the latency of each event. */
final class Arrivals implements AutoCloseable {
  private static final Duration MOST_SILENCE = Duration.ofSeconds(30);
  private static final long MOST_MICROS = Duration.ofMinutes(5).toNanos() / 1_000;
  private static final int DIGITS = 3;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Histogram micros = new Histogram(MOST_MICROS, DIGITS);

  Arrivals(String bootstrapServers, String topic) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed");
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    List<TopicPartition> partitions = Laboratory.partitions(topic);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /**
   * Latencies and rate of the allowed events of a run.
   *
   * @param micros latencies of the counted events, µs
   * @param perSecond events per second from the first counted event to the last
   */
  record Heard(Histogram micros, double perSecond) {}

  /**
   * Waits until this many events have been consumed; the first {@code uncounted} events are not
   * recorded.
   */
  Heard await(long events, long uncounted) {
    long seen = 0;
    long heardNanos = System.nanoTime();
    long beganNanos = heardNanos;
    while (seen < events) {
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100))) {
        heardNanos = System.nanoTime();
        if (seen == uncounted) beganNanos = heardNanos;
        if (seen++ >= uncounted) micros.recordValue((heardNanos - due(each)) / 1_000);
      }
      if (System.nanoTime() - heardNanos > MOST_SILENCE.toNanos()) {
        throw new WrongResultException("%,d of %,d events were allowed".formatted(seen, events));
      }
    }
    double seconds = (heardNanos - beganNanos) / 1e9;
    return new Heard(micros, (events - uncounted) / seconds);
  }

  private static long due(ConsumerRecord<byte[], byte[]> event) {
    return ByteBuffer.wrap(event.headers().lastHeader(OpenLoop.DUE).value()).getLong();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
