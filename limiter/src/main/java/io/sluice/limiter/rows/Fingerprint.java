package io.sluice.limiter.rows;

/**
 * Hashes by which a bucket remembers an arrival.
 *
 * @param event hash of the event; 0 if the arrival has no identity
 * @param record hash of the record that the event came in
 */
public record Fingerprint(long event, int record) {
  /** Fingerprint of an arrival that is not remembered. */
  public static final Fingerprint NONE = new Fingerprint(0, 0);

  public boolean isNone() {
    return event == 0;
  }
}
