package io.sluice.limiter;

/**
 * What an arrival is known by if it comes again. Buckets remember it with what they admitted.
 *
 * @param event a hash of the event; two records may claim to be the same one
 * @param record a hash of the record that it came in
 * @param claimed whether another record can claim to be this event: not if its id stands for the
 *     record itself
 */
public record Identity(long event, int record, boolean claimed) {
  /** Of an arrival that is like no other and is never recognised. */
  public static final Identity NONE = new Identity(0, 0, false);

  /**
   * An event with an id that its producer chose: its user's and its action's alone.
   *
   * @param record names the record that it came in
   */
  public static Identity of(String user, String action, String eventId, String record) {
    long event = EventHash.of(user, action, eventId);
    return new Identity(used(event), (int) EventHash.of(record), true);
  }

  /** A record that is known by itself, whatever it says that it is. */
  public static Identity ofRecord(String record) {
    return ofRecord(EventHash.of(record));
  }

  /** A record whose name another one may have at another cost. */
  static Identity ofRecord(String record, long cost) {
    return ofRecord(EventHash.of(record, cost));
  }

  private static Identity ofRecord(long event) {
    return new Identity(used(event), (int) (event >>> 32), false);
  }

  private static long used(long hash) {
    return hash == 0 ? 1 : hash;
  }

  boolean isNone() {
    return event == 0;
  }
}
