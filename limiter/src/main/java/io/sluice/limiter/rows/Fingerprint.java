package io.sluice.limiter.rows;

/**
 * Hashes by which a bucket recognises an arrival that comes again.
 *
 * @param event hash of the event; 0 if the arrival has no identity
 * @param record hash of the record that brought the event
 */
public record Fingerprint(long event, int record) {
  /** Fingerprint of an arrival that is not remembered. */
  public static final Fingerprint NONE = new Fingerprint(0, 0);

  public boolean isNone() {
    return event == 0;
  }
}
