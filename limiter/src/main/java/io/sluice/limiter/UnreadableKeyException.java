package io.sluice.limiter;

/**
 * The state of one key could not be read or written, while the server that has it is well: its
 * value is of another type, or is no state. Arrivals with other keys are metered, and asking again
 * gives the same answer until the key is deleted.
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

  /** The key's name, or those of all keys that the arrival has if it is not known which it is. */
  public String key() {
    return key;
  }
}
