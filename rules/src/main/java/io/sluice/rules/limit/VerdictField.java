package io.sluice.rules.limit;

import java.util.ArrayList;
import java.util.List;

/**
 * Fields of a verdict, in the order of their headers. The headers of an event, the records on the
 * topic of delayed events and the JSON form of verdicts are all made from this list.
 */
public enum VerdictField {
  VERDICT("verdict", "verdict", false),
  REASON("reason", "reason", false),
  LIMIT("limit", "limit", false),
  REMAINING("remaining", "remaining", true),
  RETRY_AFTER_MS("retry-after-ms", "retryAfterMs", true),
  RESET_AFTER_MS("reset-after-ms", "resetAfterMs", true),
  RELEASE_AT_MS("release-at-ms", "releaseAtMs", true),
  ESTIMATE("estimate", "estimate", false),
  RELEASED_AT_MS("released-at-ms", "releasedAtMs", true),
  ATTEMPT("attempt", "attempt", true);

  /** Result of {@link #number} if the verdict does not have the field. */
  static final long ABSENT = Long.MIN_VALUE;

  private final String plain;
  private final String header;
  private final String json;
  private final boolean number;

  VerdictField(String plain, String json, boolean number) {
    this.plain = plain;
    this.json = json;
    this.number = number;
    header = VerdictHeaders.PREFIX + plain;
  }

  /** Returns the fields in their order, but with the reason directly before another field. */
  public static List<VerdictField> withReasonBefore(VerdictField next) {
    List<VerdictField> fields = new ArrayList<>(List.of(values()));
    fields.remove(REASON);
    fields.add(fields.indexOf(next), REASON);
    return List.copyOf(fields);
  }

  /** Returns the name of the header without {@code sluice-}. */
  public String plain() {
    return plain;
  }

  /** Returns the name of the header. */
  public String header() {
    return header;
  }

  /** Returns the name of the field in JSON. */
  public String json() {
    return json;
  }

  /** Returns whether the value of the field is a number; otherwise it is text. */
  public boolean isNumber() {
    return number;
  }

  /** Returns the value of a field that is text; empty if the verdict does not have the field. */
  String text(Verdict verdict) {
    return switch (this) {
      case VERDICT -> verdict.kind().text;
      case REASON -> verdict.reason().text;
      case LIMIT ->
          verdict.deciding().isEmpty() ? "" : verdict.deciding().get(0).limit().rule().name();
      case ESTIMATE -> verdict.isQueued() ? "true" : "";
      default -> throw new IllegalStateException(this + " is a number");
    };
  }

  /**
   * Returns the value of a field that is a number, or {@link #ABSENT}. Waits are rounded up to
   * milliseconds, so that a client that waits this long has waited long enough.
   */
  long number(Verdict verdict) {
    boolean delayed = verdict.kind() == Verdict.Kind.DELAYED;
    if (this == ATTEMPT) return verdict.attempt();
    if (this == RELEASE_AT_MS) return delayed ? verdict.dueMs() : ABSENT;
    if (this == RELEASED_AT_MS) return verdict.admittedAtMs().orElse(ABSENT);
    // If the count of the limit was not read, there are no numbers to report.
    if (verdict.deciding().isEmpty() || verdict.deciding().get(0).isUnknown()) return ABSENT;
    LimitDecision deciding = verdict.deciding().get(0);
    return switch (this) {
      case REMAINING -> deciding.decision().remaining();
      case RETRY_AFTER_MS ->
          delayed || deciding.refusesForNow() ? millis(deciding.waitMicros()) : ABSENT;
      case RESET_AFTER_MS -> millis(deciding.decision().resetAfterMicros());
      default -> throw new IllegalStateException(this + " is text");
    };
  }

  /** Returns microseconds as whole milliseconds, rounded up. */
  static long millis(long micros) {
    return (micros + 999) / 1_000;
  }
}
