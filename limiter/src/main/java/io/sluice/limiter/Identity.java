package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;

/**
 * The name by which an arrival is known if it comes again. Buckets remember it with what they
 * admitted.
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
   * A record by which an arrival is known. Where it lies is not enough: in a topic that is made
   * anew under the same name another one lies there.
   *
   * @param place topic, partition and offset
   */
  public record Source(String place, String user, long occurredAtMs, long cost) {
    private long hash() {
      return EventHash.of(place, user, occurredAtMs, cost);
    }
  }

  /** An event with an id that its producer chose: its user's and its action's alone. */
  public static Identity of(String user, String action, String eventId, Source source) {
    return new Identity(used(EventHash.of(user, action, eventId)), (int) source.hash(), true);
  }

  /** A record that is known by itself, whatever it says that it is. */
  public static Identity of(Source source) {
    return ofRecord(source.hash());
  }

  /** The same, by a name of its own; another one may have it at another cost. */
  static Identity ofRecord(String name, long cost) {
    return ofRecord(EventHash.of(name, cost));
  }

  /** The same, by a name that nothing else has. */
  public static Identity ofRecord(String name) {
    return ofRecord(EventHash.of(name));
  }

  private static Identity ofRecord(long event) {
    return new Identity(used(event), (int) (event >>> 32), false);
  }

  private static long used(long hash) {
    return hash == 0 ? 1 : hash;
  }

  /** What a bucket keeps of it. */
  Fingerprint fingerprint() {
    return event == 0 ? Fingerprint.NONE : new Fingerprint(event, record);
  }
}
