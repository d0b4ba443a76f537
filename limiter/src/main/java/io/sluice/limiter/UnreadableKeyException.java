package io.sluice.limiter;

/**
 * Thrown if the state of one key cannot be used although the server is healthy: the key's value has
 * another type, or is not a state. Nothing is charged. Arrivals with other keys are metered; a
 * retry for this key fails until the key is deleted.
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

  /**
   * Returns the name of the unreadable key; the names of all keys of the arrival if it is unknown
   * which one is unreadable.
   */
  public String key() {
    return key;
  }
}
