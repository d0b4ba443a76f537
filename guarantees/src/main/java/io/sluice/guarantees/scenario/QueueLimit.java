package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;

/**
 * Limit of a test run with {@code exceeded=queue}: events that exceed it wait in line. The suite
 * checks it by the instants at which events are released, which the wall clock shows.
 *
 * @param actions actions of the events that the limit matches
 * @param algorithm a funnel or a sliding window log
 * @param inRedis whether the limit counts in Redis, else in the state store
 * @param byTarget whether the limit counts by the target of events, so that events of many
 *     partitions share a key; else by the user
 * @param permits largest number of permits in each period
 * @param leastPermits smallest number of permits in each period that a revision (a dated change of
 *     the limit) sets
 * @param burst burst of a funnel, in permits
 * @param maxWaitMs time after which an event that waits is rejected; 0 for the default of a day
 * @param maxLength most events in a line; 0 for the default of 10,000
 */
public record QueueLimit(
    String name,
    List<String> actions,
    Limit.Algorithm algorithm,
    boolean inRedis,
    boolean byTarget,
    long permits,
    long leastPermits,
    long periodMs,
    long burst,
    long maxWaitMs,
    long maxLength) {

  public boolean matches(Described event) {
    return !event.isPoison() && actions.contains(event.action());
  }

  /** Returns the name of the bucket in which the limit counts an event. */
  public String bucketOf(Described event) {
    return name + " of " + (byTarget ? event.target() : event.user());
  }

  /**
   * Returns the most permits that events may use in a time span.
   *
   * @param spanMs length of the span, including its first and its last instant
   */
  public long mostPermits(long spanMs) {
    if (isFunnel()) return burst + spanMs * permits / periodMs;
    // A log charges nothing at an instant that is exactly one period after the first one.
    return spanMs < periodMs ? permits : Long.MAX_VALUE;
  }

  /** Returns the most permits that a key may use at one instant, also if its quota is smallest. */
  public long surePermits() {
    return isFunnel() ? burst : leastPermits;
  }

  /**
   * Returns the time in milliseconds after which earlier charges have no influence, also if the
   * quota is smallest.
   */
  public long memoryMs() {
    return isFunnel() ? (burst * periodMs + leastPermits - 1) / leastPermits : periodMs;
  }

  /** Whether several partitions share a key of the limit. */
  public boolean isShared() {
    return inRedis && byTarget;
  }

  private boolean isFunnel() {
    return algorithm == Limit.Algorithm.FUNNEL;
  }

  /** Returns a quota as text for the setting {@code quota}. */
  public String quota(long permitsPerPeriod) {
    return permitsPerPeriod + "/" + periodMs + "ms";
  }

  /**
   * Returns the lines of the properties file that configure the limit.
   *
   * @param factor number by which permits and burst are multiplied
   */
  List<String> settings(Modes.WithoutRedis withoutRedis, long factor) {
    String prefix = "sluice.limit." + name + ".";
    List<String> lines = new ArrayList<>();
    lines.add(prefix + "match.action=" + String.join(",", actions));
    lines.add(prefix + "key=" + (byTarget ? "target" : "userId"));
    lines.add(prefix + "quota=" + quota(permits * factor));
    lines.add(prefix + "algorithm=" + algorithm.text);
    lines.add(prefix + "exceeded=queue");
    lines.addAll(Limit.backend(prefix, inRedis, withoutRedis));
    if (isFunnel()) lines.add(prefix + "burst=" + burst * factor);
    if (maxWaitMs > 0) lines.add(prefix + "queue.max.wait=" + maxWaitMs + "ms");
    if (maxLength > 0) lines.add(prefix + "queue.max.length=" + maxLength);
    return lines;
  }
}
