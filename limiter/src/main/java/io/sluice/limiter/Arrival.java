package io.sluice.limiter;

/**
 * One event to be metered.
 *
 * @param eventId what tells it from others: metered again, it is not charged again; empty if it is
 *     like no other
 * @param cost permits it needs, at least 0; 0 asks without consuming
 * @param nowMicros the clock it is judged by, epoch microseconds, years 1970 to 2200
 * @param sinceMicros where a long log begins to look for it: its own time where {@code nowMicros}
 *     is driven by events, else 0
 */
public record Arrival(String eventId, long cost, long nowMicros, long sinceMicros) {
  /** The first instant of the year 2201. */
  public static final long LATEST_MICROS = 7_289_654_400_000_000L;

  public Arrival {
    if (cost < 0) throw new IllegalArgumentException("cost must be at least 0: " + cost);
    if (nowMicros < 0 || nowMicros >= LATEST_MICROS) {
      throw new IllegalArgumentException("time must be in the years 1970 to 2200: " + nowMicros);
    }
  }

  public Arrival(String eventId, long cost, long nowMicros) {
    this(eventId, cost, nowMicros, 0);
  }

  /** The same, by another clock. */
  public Arrival at(long otherNowMicros) {
    return otherNowMicros == nowMicros
        ? this
        : new Arrival(eventId, cost, otherNowMicros, sinceMicros);
  }

  boolean isAnonymous() {
    return eventId.isEmpty();
  }
}
