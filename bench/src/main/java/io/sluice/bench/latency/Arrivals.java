package io.sluice.bench.latency;

import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.WrongResultException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** Consumer of the topic of allowed events, which records the latency of each event. */
final class Arrivals implements AutoCloseable {
  private static final Duration MOST_SILENCE = Duration.ofSeconds(30);
  private static final long MOST_MICROS = Duration.ofMinutes(5).toNanos() / 1_000;
  private static final int DIGITS = 3;
  private static final int MOST_IN_A_POLL = 500;

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Histogram micros = new Histogram(MOST_MICROS, DIGITS);

  Arrivals(Laboratory laboratory, String topic) {
    consumer = laboratory.consumer(topic, MOST_IN_A_POLL);
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
