package io.sluice.live;

import io.sluice.rules.revision.LimitsInForce;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Updates the metric with the digest (fingerprint) of the limits in force, which takes long to
 * compute with many overrides.
 */
final class DigestWatch {
  static final long EVERY_SECONDS = 10;

  /**
   * Age in milliseconds above which the digest is computed again even without a new record, since
   * planned revisions take effect without one.
   */
  private static final long MOST_AGE_MS = 60_000;

  /**
   * Pause after computing a digest, as a multiple of the duration of the computation, so that the
   * digest of 100,000 overrides, about a second, costs little processor time.
   */
  private static final int REST_PER_WORK = 50;

  private final Supplier<LimitsInForce> limits;
  private final LimitsReport report;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private long endedNanos;
  private long restNanos;
  private Object last = "";
  private long lastMs;

  /**
   * Creates a watch.
   *
   * @param limits supplies the limits in force; must return without waiting
   */
  DigestWatch(
      Supplier<LimitsInForce> limits,
      LimitsReport report,
      InstantSource clock,
      LongSupplier nanos) {
    this.nanos = nanos;
    endedNanos = nanos.getAsLong();
    this.limits = limits;
    this.report = report;
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
    report.digest(now.digest(nowMs));
  }
}
