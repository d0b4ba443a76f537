package io.sluice.limiter.rows;

/**
 * Hash index of the identities in the older rows ("pieces") of one long log, so that a log of a
 * million entries is not scanned for every arrival. The index is built from the rows, and can still
 * have entries that the rows no longer have; those are ignored because of their instants.
 */
final class LogIndex {
  private static final int LEAST_PLACES = 256;

  private long[] events = new long[LEAST_PLACES]; // 0 in a free slot of the hash table
  private long[] instants = new long[LEAST_PLACES];
  private int[] records = new int[LEAST_PLACES];
  private int size;
  private int sizeAtLast;

  int places() {
    return events.length;
  }

  private void forget(long throughMicros) {
    long[] oldEvents = events;
    long[] oldInstants = instants;
    int[] oldRecords = records;
    makeEmpty(LEAST_PLACES);
    for (int i = 0; i < oldEvents.length; i++) {
      if (oldEvents[i] != 0 && oldInstants[i] > throughMicros) {
        put(oldEvents[i], oldRecords[i], oldInstants[i]);
      }
    }
    sizeAtLast = size;
  }

  private void makeEmpty(int places) {
    events = new long[places];
    instants = new long[places];
    records = new int[places];
    size = 0;
  }

  void putAll(LogEntries entries) {
    for (LogEntries.Cursor each = entries.cursor(); each.advance(); ) {
      put(each.fingerprint(), each.atMicros());
    }
  }

  void put(Fingerprint fingerprint, long atMicros) {
    if (!fingerprint.isNone()) put(fingerprint.event(), fingerprint.record(), atMicros);
  }

  private void put(long event, int record, long instant) {
    if (2 * size >= events.length) widen();
    size++;
    int place = placeOf(event);
    while (events[place] != 0) place = next(place);
    events[place] = event;
    records[place] = record;
    instants[place] = instant;
  }

  private int placeOf(long event) {
    return (int) (event >>> 32) & events.length - 1;
  }

  private int next(int place) {
    return place + 1 & events.length - 1;
  }

  private void widen() {
    long[] oldEvents = events;
    long[] oldInstants = instants;
    int[] oldRecords = records;
    makeEmpty(2 * oldEvents.length);
    for (int i = 0; i < oldEvents.length; i++) {
      if (oldEvents[i] != 0) put(oldEvents[i], oldRecords[i], oldInstants[i]);
    }
  }

  /**
   * Drops index entries up to this instant, but only after the index has grown to twice its size.
   */
  void forgetThrough(long micros) {
    if (size > 2 * sizeAtLast + LEAST_PLACES) forget(micros);
  }

  PriorCharge prior(Fingerprint fingerprint, long sinceMicros) {
    PriorCharge prior = PriorCharge.NONE;
    for (int place = placeOf(fingerprint.event()); events[place] != 0; place = next(place)) {
      if (events[place] == fingerprint.event()) {
        prior = PriorCharge.stronger(prior, prior(place, fingerprint.record(), sinceMicros));
      }
    }
    return prior;
  }

  private PriorCharge prior(int place, int record, long sinceMicros) {
    if (instants[place] <= sinceMicros) return PriorCharge.NONE;
    return PriorCharge.of(records[place] == record, instants[place]);
  }
}
