package io.sluice.bench;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A run of one variant, as an application that nobody knows yet, which checks what it gave. */
final class Round {
  /*
   * The clock runs from the first poll that brings records until the broker has appended the last
   * output, by the timestamp that it gives each: starting up, joining the group and shutting down are
   * not measured, nor is who measures. That all are through is told by the committed offsets of the
   * group; as many outputs must then be committed as inputs are, whatever the guarantee.
   */
  private static final long LOOK_EVERY_NANOS = 50_000_000;
  private static final Duration MOST_STANDING_STILL = Duration.ofMinutes(1);
  private static final Map<String, String> STAMPED_BY_BROKER =
      Map.of("message.timestamp.type", "LogAppendTime");

  private final Laboratory laboratory;
  private final Variant variant;
  private final Workload workload;
  private final Workplace workplace;
  private final InstantSource clock = InstantSource.system();

  Round(Laboratory laboratory, Variant variant, Workload workload, Workplace workplace) {
    this.laboratory = laboratory;
    this.variant = variant;
    this.workload = workload;
    this.workplace = workplace;
  }

  Sample run() throws Exception {
    laboratory.createTopic(workplace.allowed(), STAMPED_BY_BROKER);
    laboratory.createTopic(workplace.rejected(), STAMPED_BY_BROKER);
    System.gc();
    long cpuNanos;
    try (Application.Running running = variant.application().start(workplace)) {
      awaitCommitted(running, variant.events(workload));
      cpuNanos = CpuTime.ofStreamThreads(workplace.applicationId());
    }
    Sample sample = sample(cpuNanos);
    laboratory.deleteTopics(workplace.applicationId());
    laboratory.emptyRedis();
    return sample;
  }

  private void awaitCommitted(Application.Running running, long events)
      throws ExecutionException, InterruptedException {
    long reached = 0;
    long sinceMs = clock.millis();
    while (reached < events) {
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
      long committed = committed();
      if (committed > reached) sinceMs = clock.millis();
      reached = committed;
      if (running.hasFailed()) throw wrong("has failed", reached, events);
      boolean stands = clock.millis() - sinceMs > MOST_STANDING_STILL.toMillis();
      if (stands) throw wrong("stands still", reached, events);
    }
  }

  private WrongResultException wrong(String what, long reached, long events) {
    return new WrongResultException(
        "%s %s at %,d of %,d events".formatted(variant.name(), what, reached, events));
  }

  /** How many events of the input the application has done with. */
  private long committed() throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetAndMetadata> offsets =
        laboratory
            .admin()
            .listConsumerGroupOffsets(workplace.applicationId())
            .partitionsToOffsetAndMetadata()
            .get();
    return Laboratory.partitions(workload.topic()).stream()
        .map(offsets::get)
        .mapToLong(offset -> offset == null ? 0 : offset.offset())
        .sum();
  }

  private Sample sample(long cpuNanos) throws ExecutionException, InterruptedException {
    long taken = committed();
    Outputs allowed = Outputs.of(laboratory.bootstrapServers(), workplace.allowed());
    Outputs rejected = Outputs.of(laboratory.bootstrapServers(), workplace.rejected());
    require("outputs", taken, allowed.count() + rejected.count());
    if (taken == workload.events()) {
      variant.exact().forEach(each -> require("allowed", workload.allowed(each), allowed.count()));
    }
    long lastMs = Math.max(allowed.lastMs(), rejected.lastMs());
    return new Sample(
        taken, allowed.count(), lastMs - FirstPoll.atMs(workplace.applicationId()), cpuNanos);
  }

  private void require(String what, long expected, long found) {
    if (expected == found) return;
    throw new WrongResultException(
        "%s gave %,d %s, and should have given %,d"
            .formatted(variant.name(), found, what, expected));
  }
}
