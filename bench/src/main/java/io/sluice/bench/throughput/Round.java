package io.sluice.bench.throughput;

import io.sluice.bench.input.Workload;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.lab.RedisServers;
import io.sluice.bench.run.Application;
import io.sluice.bench.run.Committed;
import io.sluice.bench.run.FirstPoll;
import io.sluice.bench.run.Outputs;
import io.sluice.bench.run.ThreadCost;
import io.sluice.bench.run.Workplace;
import io.sluice.bench.run.WrongResultException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** Runs one variant once, with a new application id, and checks its results. */
record Round(Variant variant, Workload workload, Workplace workplace) {
  /*
   * The measured time starts at the first poll that returns records, and ends when the broker has
   * appended the last output, by the broker's timestamps. So the start, joining the consumer group,
   * the shutdown and the measuring itself are excluded. The group's committed offsets tell when all
   * input is processed. Then the number of committed outputs must equal the number of inputs, with
   * any processing guarantee.
   */
  private static final Duration MOST_STANDING_STILL = Duration.ofMinutes(1);

  Sample run() throws Exception {
    Laboratory laboratory = workplace.laboratory();
    RedisServers redis = laboratory.redis();
    Committed committed = new Committed(workplace, MOST_STANDING_STILL);
    workplace.createOutputs();
    System.gc();
    long redisBefore = redis.cpuNanos(variant.onCluster());
    long brokerBefore = laboratory.brokerNanos();
    ThreadCost cost;
    long brokerNanos;
    long redisNanos;
    try (Application.Running running = variant.application().start(workplace)) {
      committed.await(variant.name(), running, variant.events(workload));
      cost = ThreadCost.of(workplace.applicationId());
      brokerNanos = laboratory.brokerNanos() - brokerBefore;
      redisNanos = redis.cpuNanos(variant.onCluster()) - redisBefore;
    }
    Sample sample = sample(committed.events(), cost, brokerNanos, redisNanos);
    laboratory.deleteTopics(workplace.applicationId());
    redis.empty(variant.onCluster());
    return sample;
  }

  private Sample sample(long taken, ThreadCost cost, long brokerNanos, long redisNanos)
      throws ExecutionException, InterruptedException {
    Outputs allowed = Outputs.of(workplace.laboratory(), workplace.allowed());
    Outputs rejected = Outputs.of(workplace.laboratory(), workplace.rejected());
    require("outputs", taken, allowed.count() + rejected.count());
    if (taken == workload.events()) {
      variant.exact().forEach(each -> require("allowed", workload.allowed(each), allowed.count()));
    }
    long lastMs = Math.max(allowed.lastMs(), rejected.lastMs());
    long millis = lastMs - FirstPoll.atMs(workplace.applicationId());
    long written = workplace.laboratory().bytesOf(workplace.applicationId());
    return new Sample(taken, allowed.count(), millis, cost, brokerNanos, redisNanos, written);
  }

  private void require(String what, long expected, long found) {
    if (expected == found) return;
    throw new WrongResultException(
        "%s gave %,d %s, and should have given %,d"
            .formatted(variant.name(), found, what, expected));
  }
}
