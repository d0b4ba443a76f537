package io.sluice.bench.run;

import io.sluice.bench.lab.Laboratory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Progress of an application on an input topic, by the committed offsets of its consumer group.
 *
 * @param mostStandingStill {@link #await} fails if no offset is committed for longer
 */
public record Committed(Workplace workplace, Duration mostStandingStill) {
  private static final long LOOK_EVERY_NANOS = 50_000_000;
  private static final InstantSource CLOCK = InstantSource.system();

  public long events() throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> offsets =
        workplace
            .laboratory()
            .admin()
            .listConsumerGroupOffsets(workplace.applicationId())
            .partitionsToOffsetAndMetadata()
            .get();
    return Laboratory.partitions(workplace.input()).stream()
        .map(offsets::get)
        .mapToLong(offset -> offset == null ? 0 : offset.offset())
        .sum();
  }

  /**
   * Waits until the application has committed this many events.
   *
   * @param name name of the measured variant, for error messages
   */
  public void await(String name, Application.Running running, long events)
      throws ExecutionException, InterruptedException {
    long reached = events();
    long sinceMs = CLOCK.millis();
    while (reached < events) {
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
      long committed = events();
      if (committed > reached) sinceMs = CLOCK.millis();
      reached = committed;
      boolean stands = CLOCK.millis() - sinceMs > mostStandingStill.toMillis();
      if (running.hasFailed() || stands) {
        String what = running.hasFailed() ? "has failed" : "stands still";
        throw new WrongResultException(
            "%s %s at %,d of %,d events".formatted(name, what, reached, events));
      }
    }
  }
}
