package io.sluice.live;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports in log, metric and health that the topic of revisions cannot be read, and that it can be
 * read again.
 */
final class Staleness implements Freshness.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(Staleness.class);
  private static final RunningTime NEVER = new RunningTime(0);

  private final String topic;
  private final LimitsReport report;
  private final InstantSource clock;
  private RunningTime failing = NEVER;
  private volatile String why = "";
  private volatile long confirmedMs;

  Staleness(String topic, LimitsReport report, InstantSource clock) {
    this.topic = topic;
    this.report = report;
    this.clock = clock;
  }

  /** Called when the topic of revisions has been read to its end. */
  void confirmed() {
    confirmedMs = clock.millis();
    failing = NEVER;
    why = "";
  }

  /**
   * Records a failed try to read the topic; returns whether failures have lasted so long that
   * threads that meter events should no longer wait for fresh limits.
   */
  boolean failed(Throwable failure, long beganNanos, long nowNanos) {
    if (failing == NEVER) failing = new RunningTime(beganNanos);
    why = ": " + failure.getMessage();
    LOG.debug("{} cannot be read", topic, failure);
    return failing.passed(nowNanos) >= Freshness.MOST_WAIT_NANOS;
  }

  @Override
  public void stale() {
    report.isCurrent(false);
    Instant asOf = Instant.ofEpochMilli(confirmedMs).truncatedTo(ChronoUnit.SECONDS);
    report.limitsAsOf("limits as of " + asOf + ", the topic " + topic + " cannot be read");
    LOG.warn(
        "the topic {} cannot be read; until it can, limits are those of {}{}", topic, asOf, why);
  }

  @Override
  public void freshAgain() {
    report.isCurrent(true);
    report.limitsAsOf("");
    long seconds = (clock.millis() - confirmedMs) / 1_000;
    LOG.info("the topic {} is read again, after {} s", topic, seconds);
  }
}
