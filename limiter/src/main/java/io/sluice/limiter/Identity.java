package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;

/**
 * Identity by which a bucket recognises an arrival that comes again. Buckets keep it with what they
 * have admitted.
 *
 * @param event hash of the event; two records can claim to be the same event
 * @param record hash of the record that the event came in
 * @param claimed whether another record can claim to be this event: false if the id stands for the
 *     record itself
 */
public record Identity(long event, int record, boolean claimed) {
  /** Identity of an arrival that is never recognised again. */
  public static final Identity NONE = new Identity(0, 0, false);

  /**
   * Record by which an arrival is known. Its place alone is not enough: after a topic is created
   * again under the same name, another record has that place.
   *
   * @param place topic, partition and offset
   */
  public record Source(String place, String user, long occurredAtMs, long cost) {
    private long hash() {
      return EventHash.of(place, user, occurredAtMs, cost);
    }
  }

  /**
   * Returns the identity of an event whose producer chose its id. Ids are compared within one user
   * and action only.
   */
  public static Identity of(String user, String action, String eventId, Source source) {
    return new Identity(used(EventHash.of(user, action, eventId)), (int) source.hash(), true);
  }

  /** Returns the identity of a record, regardless of any event id in it. */
  public static Identity of(Source source) {
    return ofRecord(source.hash());
  }

  /**
   * Returns the identity of a record with this name and cost; with another cost it is another
   * record.
   */
  static Identity ofRecord(String name, long cost) {
    return ofRecord(EventHash.of(name, cost));
  }

  /** Returns the identity of a record by a unique name. */
  public static Identity ofRecord(String name) {
    return ofRecord(EventHash.of(name));
  }

  private static Identity ofRecord(long event) {
    return new Identity(used(event), (int) (event >>> 32), false);
  }

  private static long used(long hash) {
    return hash == 0 ? 1 : hash;
  }

  /** Returns the part that a bucket stores. */
  Fingerprint fingerprint() {
    return event == 0 ? Fingerprint.NONE : new Fingerprint(event, record);
  }
}
