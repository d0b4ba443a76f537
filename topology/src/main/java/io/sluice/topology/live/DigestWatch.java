package io.sluice.topology.live;

import io.sluice.topology.metrics.LimitsMetrics;
import io.sluice.topology.revision.LimitsInForce;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The keeper of the digest of what is in force, which takes a while with many scopes. */
final class DigestWatch {
  static final long EVERY_SECONDS = 10;

  /** What was planned is in force without a new revision. */
  private static final long MOST_AGE_MS = 60_000;

  /** A second or so with 100,000 scopes, of which a processor is to have nearly nothing to do. */
  private static final int REST_PER_WORK = 50;

  private final Supplier<LimitsInForce> limits;
  private final LimitsMetrics metrics;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private long endedNanos;
  private long restNanos;
  private Object last = "";
  private long lastMs;

  /**
   * @param limits does not wait
   */
  DigestWatch(
      Supplier<LimitsInForce> limits,
      LimitsMetrics metrics,
      InstantSource clock,
      LongSupplier nanos) {
    this.nanos = nanos;
    endedNanos = nanos.getAsLong();
    this.limits = limits;
    this.metrics = metrics;
    this.clock = clock;
  }

  void look() {
    long beganNanos = nanos.getAsLong();
    if (beganNanos - endedNanos < restNanos) return;
    update();
    endedNanos = nanos.getAsLong();
    restNanos = REST_PER_WORK * (endedNanos - beganNanos);
  }

  private void update() {
    LimitsInForce now = limits.get();
    long nowMs = clock.millis();
    if (now == last && nowMs - lastMs < MOST_AGE_MS) return;
    last = now;
    lastMs = nowMs;
    metrics.digest(now.digest(nowMs));
  }
}
