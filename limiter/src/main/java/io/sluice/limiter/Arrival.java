package io.sluice.limiter;

/**
 * One event to be metered.
 *
 * @param identity by which a bucket recognises the event if it arrives again
 * @param cost permits that the event needs, at least 0; with 0, the event is judged but not charged
 * @param nowMicros time of the arrival in epoch microseconds, in the years 1970 to 2200. A bucket
 *     whose clock is later judges the arrival at its clock
 */
public record Arrival(Identity identity, long cost, long nowMicros) {
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

  /** Returns this arrival with another time. */
  public Arrival at(long otherNowMicros) {
    return otherNowMicros == nowMicros ? this : new Arrival(identity, cost, otherNowMicros);
  }
}
