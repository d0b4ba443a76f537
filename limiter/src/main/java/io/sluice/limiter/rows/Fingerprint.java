package io.sluice.limiter.rows;

/**
 * Hashes by which a bucket remembers an arrival.
 *
 * @param event of the event, 0 of one that is like no other
 * @param record of the record that it came in
 */
public record Fingerprint(long event, int record) {
  /** Of an arrival that is not remembered. */
  public static final Fingerprint NONE = new Fingerprint(0, 0);

  public boolean isNone() {
    return event == 0;
  }
}
