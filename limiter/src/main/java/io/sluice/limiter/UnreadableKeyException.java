package io.sluice.limiter;

/**
 * Thrown if the state of one key cannot be used although its server is healthy: its value has
 * another type, or is no state. Nothing is charged. Arrivals with other keys are metered; a retry
 * fails until the key is deleted.
 */
public class UnreadableKeyException extends LimiterUnavailableException {
  private static final long serialVersionUID = 1L;

  private static final int LONGEST = 1_000;

  private final String key;

  public UnreadableKeyException(String key, String problem, Throwable cause) {
    super(
        "the key " + PlainText.of(key, LONGEST) + " cannot be used: " + PlainText.message(problem),
        cause);
    this.key = key;
  }

  /** Returns the name of the key, or of all keys of the arrival if the failing one is unknown. */
  public String key() {
    return key;
  }
}
