package io.sluice.limiter;

/**
 * One event to be metered.
 *
 * @param identity what it is known by if it comes again
 * @param cost permits it needs, at least 0; 0 asks without consuming
 * @param nowMicros the instant at which it comes, epoch microseconds, years 1970 to 2200. A bucket
 *     whose own clock is later judges it by that
 */
public record Arrival(Identity identity, long cost, long nowMicros) {
  /** The first instant of the year 2201. */
  public static final long LATEST_MICROS = 7_289_654_400_000_000L;

  public Arrival {
    if (cost < 0) throw new IllegalArgumentException("cost must be at least 0: " + cost);
    if (nowMicros < 0 || nowMicros >= LATEST_MICROS) {
      throw new IllegalArgumentException("time must be in the years 1970 to 2200: " + nowMicros);
    }
  }

  /**
   * An arrival that is not charged again when it comes again with the same cost.
   *
   * @param eventId what tells it from others; empty if it is like no other
   */
  public Arrival(String eventId, long cost, long nowMicros) {
    this(eventId.isEmpty() ? Identity.NONE : Identity.ofRecord(eventId, cost), cost, nowMicros);
  }

  /** The same, at another instant. */
  public Arrival at(long otherNowMicros) {
    return otherNowMicros == nowMicros ? this : new Arrival(identity, cost, otherNowMicros);
  }
}
