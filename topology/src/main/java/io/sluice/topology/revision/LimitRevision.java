package io.sluice.topology.revision;

import java.util.Comparator;

/**
 * A change of a limit, or of what some events get under it, for a time.
 *
 * @param id a later one with the same id replaces it
 * @param limit a limit's name, or {@link #EVERY_LIMIT}
 * @param effectiveAtMs the first instant at which it holds, in epoch milliseconds
 * @param untilMs the first instant at which it no longer holds; {@link #FOR_GOOD} if there is none
 * @param by who made it; empty if it does not say
 * @param note why; empty if it does not say
 */
public record LimitRevision(
    String id,
    String limit,
    Scope scope,
    Settings set,
    long effectiveAtMs,
    long untilMs,
    String by,
    String note)
    implements PersistentMap.Keyed {
  public static final String EVERY_LIMIT = "*";
  public static final long FOR_GOOD = Long.MAX_VALUE;

  /** The order in which revisions of one scope add up. */
  public static final Comparator<LimitRevision> ORDER =
      Comparator.comparingLong(LimitRevision::effectiveAtMs).thenComparing(LimitRevision::id);

  @Override
  public String key() {
    return id;
  }

  public boolean isForEveryLimit() {
    return limit.equals(EVERY_LIMIT);
  }

  boolean isActiveAt(long ms) {
    return effectiveAtMs <= ms && ms < untilMs;
  }

  /** Bytes are not a revision; the message says in one line which field is wrong, and why. */
  public static final class UnreadableRevisionException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableRevisionException(String message) {
      super(message, null, false, false);
    }
  }
}
