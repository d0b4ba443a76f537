package io.sluice.limiter;

import static java.lang.Math.max;

/**
 * One event to be metered. An ordinary arrival is judged when it comes. A release, which is an
 * event that waits in a queue and whose turn may have come, may be admitted at any instant of a
 * span of time; if it is refused, nothing is stored.
 *
 * @param identity by which a bucket recognises the event if it arrives again
 * @param cost permits that the event needs, at least 0; with 0, the event is judged but not charged
 * @param nowMicros time of the arrival in epoch microseconds, in the years 1970 to 2200. A bucket
 *     whose clock is later judges the arrival at its clock. For a release, the earliest instant at
 *     which it may be admitted: an earlier slot is not used
 * @param latestMicros latest instant at which a release may be admitted, in epoch microseconds, not
 *     before {@code nowMicros}; 0 for an ordinary arrival
 */
public record Arrival(Identity identity, long cost, long nowMicros, long latestMicros) {
  /**
   * Exclusive upper bound of an arrival's time: first instant of the year 2201, in epoch
   * microseconds.
   */
  public static final long LATEST_MICROS = 7_289_654_400_000_000L;

  public Arrival {
    if (cost < 0) throw new IllegalArgumentException("cost must be at least 0: " + cost);
    if (nowMicros < 0 || nowMicros >= LATEST_MICROS) {
      throw new IllegalArgumentException("time must be in the years 1970 to 2200: " + nowMicros);
    }
    if (latestMicros != 0 && (latestMicros < nowMicros || latestMicros >= LATEST_MICROS)) {
      throw new IllegalArgumentException(
          "a release must end after its begin, in the years 1970 to 2200: " + latestMicros);
    }
  }

  /** Creates an ordinary arrival. */
  public Arrival(Identity identity, long cost, long nowMicros) {
    this(identity, cost, nowMicros, 0);
  }

  /**
   * Creates an arrival with an event id: a bucket that has charged an arrival with the same id and
   * cost, and still remembers it, does not charge this one.
   *
   * @param eventId unique id of the event; empty for an arrival that no bucket recognises again
   */
  public Arrival(String eventId, long cost, long nowMicros) {
    this(eventId.isEmpty() ? Identity.NONE : Identity.ofRecord(eventId, cost), cost, nowMicros);
  }

  /**
   * Creates the release of an event that waits in a queue.
   *
   * @param fromMicros earliest instant at which the event may be admitted, in epoch microseconds
   * @param latestMicros latest instant, above 0: the present, because a release is not delayed
   */
  public static Arrival release(Identity identity, long cost, long fromMicros, long latestMicros) {
    if (latestMicros == 0) throw new IllegalArgumentException("a release needs a latest instant");
    return new Arrival(identity, cost, fromMicros, latestMicros);
  }

  /** Whether this is the release of an event that waits in a queue. */
  public boolean isRelease() {
    return latestMicros > 0;
  }

  /** Returns this arrival with another time; for a release, with another earliest instant. */
  public Arrival at(long otherNowMicros) {
    return otherNowMicros == nowMicros
        ? this
        : new Arrival(identity, cost, otherNowMicros, latestMicros);
  }

  /**
   * Returns the instant at which a bucket judges the arrival. A release under a rule that reserves
   * is judged at the earliest instant of its span at which the bucket is not blocked and the rule
   * has the numbers of the span's end, so that a change in the span takes effect. Under any other
   * rule, a release is judged at the end of its span.
   *
   * @param clockMicros clock of the bucket, before which nothing is judged
   * @param blockedUntilMicros end of the bucket's block; 0 if it has none
   */
  long judgedAtMicros(Rule rule, long clockMicros, long blockedUntilMicros) {
    if (!isRelease()) return max(nowMicros, clockMicros);
    if (!rule.algorithm().canReserve()) return max(latestMicros, clockMicros);
    long openMicros = blockedUntilMicros <= latestMicros ? blockedUntilMicros : 0;
    long changedMicros = rule.schedule().changedAt(latestMicros);
    return max(max(nowMicros, clockMicros), max(openMicros, changedMicros));
  }

  /**
   * Returns how long the arrival can wait for its slot in a bucket: the rule's patience, or until
   * the end of a release's span if that is later.
   *
   * @param judgedMicros instant at which the bucket is judged
   */
  long patienceMicros(Rule rule, long judgedMicros) {
    return max(rule.patienceMicros(), latestMicros - judgedMicros);
  }
}
