package io.sluice.limiter;

/**
 * One event to be metered.
 *
 * @param identity by which a bucket recognises it if it arrives again
 * @param cost permits it needs, at least 0; 0 asks without consuming
 * @param nowMicros time of the arrival, epoch microseconds, years 1970 to 2200. A bucket with a
 *     later clock judges it at that clock
 */
public record Arrival(Identity identity, long cost, long nowMicros) {
  /** First instant of the year 2201, epoch microseconds; arrivals are earlier. */
  public static final long LATEST_MICROS = 7_289_654_400_000_000L;

  public Arrival {
    if (cost < 0) throw new IllegalArgumentException("cost must be at least 0: " + cost);
    if (nowMicros < 0 || nowMicros >= LATEST_MICROS) {
      throw new IllegalArgumentException("time must be in the years 1970 to 2200: " + nowMicros);
    }
  }

  /**
   * Creates an arrival that is not charged again when it arrives again with the same id and cost.
   *
   * @param eventId unique id of the event; empty if the arrival is never recognised again
   */
  public Arrival(String eventId, long cost, long nowMicros) {
    this(eventId.isEmpty() ? Identity.NONE : Identity.ofRecord(eventId, cost), cost, nowMicros);
  }

  /** Returns this arrival at another instant. */
  public Arrival at(long otherNowMicros) {
    return otherNowMicros == nowMicros ? this : new Arrival(identity, cost, otherNowMicros);
  }
}
