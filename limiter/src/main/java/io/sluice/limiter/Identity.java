package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;

/**
 * Identity by which a bucket recognises an arrival that comes again. Buckets store the identities
 * of arrivals that they have admitted.
 *
 * @param event hash of the event; several records can claim to be the same event, by its id
 * @param record hash of the record that brought the event
 * @param claimed whether another record can claim to be the same event: false if the identity is
 *     that of the record itself
 */
public record Identity(long event, int record, boolean claimed) {
  /** Identity of an arrival that is never recognised again. */
  public static final Identity NONE = new Identity(0, 0, false);

  /**
   * Record that identifies an arrival. Its topic, partition and offset alone are not enough: after
   * a topic is deleted and created again under the same name, another record has the same place.
   *
   * @param place topic, partition and offset of the record
   */
  public record Source(String place, String user, long occurredAtMs, long cost) {
    private long hash() {
      return EventHash.of(place, user, occurredAtMs, cost);
    }
  }

  /**
   * Returns the identity of an event whose producer chose its id. Equal ids of different users, or
   * of different actions, are different events.
   */
  public static Identity of(String user, String action, String eventId, Source source) {
    return new Identity(used(EventHash.of(user, action, eventId)), (int) source.hash(), true);
  }

  /** Returns the identity of a record, regardless of any event id that the record contains. */
  public static Identity of(Source source) {
    return ofRecord(source.hash());
  }

  /**
   * Returns the identity of an arrival with this event id and cost; the same id with another cost
   * is another arrival.
   */
  static Identity ofRecord(String eventId, long cost) {
    return ofRecord(EventHash.of(eventId, cost));
  }

  /** Returns the identity of the record that has this unique name. */
  public static Identity ofRecord(String name) {
    return ofRecord(EventHash.of(name));
  }

  private static Identity ofRecord(long event) {
    return new Identity(used(event), (int) (event >>> 32), false);
  }

  private static long used(long hash) {
    return hash == 0 ? 1 : hash;
  }

  /** Returns the part of the identity that a bucket stores: both hashes. */
  Fingerprint fingerprint() {
    return event == 0 ? Fingerprint.NONE : new Fingerprint(event, record);
  }
}
