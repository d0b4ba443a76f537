package io.sluice.rules.limit;

import io.sluice.limiter.Decision;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Headers that explain a verdict, as UTF-8 text. Waits in milliseconds are rounded up, so that a
 * client that waits this long has waited long enough.
 */
public final class VerdictHeaders {
  public static final String VERDICT = "sluice-verdict";
  public static final String LIMIT = "sluice-limit";
  public static final String REMAINING = "sluice-remaining";
  public static final String RETRY_AFTER_MS = "sluice-retry-after-ms";
  public static final String RESET_AFTER_MS = "sluice-reset-after-ms";
  public static final String REASON = "sluice-reason";
  public static final String ATTEMPT = "sluice-attempt";

  /**
   * Header with the result of one limit in shadow mode, such as {@code
   * limit=reply;verdict=rejected;...}.
   */
  public static final String SHADOW = "sluice-shadow";

  static final String PREFIX = "sluice-";

  /**
   * Header of a first attempt, which most events get. It is created once, since a header is
   * immutable.
   */
  private static final Header FIRST_ATTEMPT = header(ATTEMPT, "1");

  private static final Map<Verdict.Kind, Header> VERDICTS = new EnumMap<>(Verdict.Kind.class);

  static {
    for (Verdict.Kind kind : Verdict.Kind.values()) VERDICTS.put(kind, header(VERDICT, kind.text));
  }

  /**
   * Style of the verdict headers. A delayed event has a separate header for each value in every
   * style.
   */
  public enum Style {
    /** A separate header for each value of the verdict. */
    EACH,
    /** All values of the verdict in one header. */
    ONE,
    /** No verdict header on an allowed event; all values in one header on a rejected event. */
    NONE;

    /**
     * Replaces all {@code sluice-} headers of the record by headers with the verdict, in this
     * style.
     */
    public void write(Headers headers, Verdict verdict) {
      removeOurs(headers);
      if (this == EACH || verdict.kind() == Verdict.Kind.DELAYED) add(headers, verdict);
      else if (this == ONE || verdict.kind() == Verdict.Kind.REJECTED)
        OneHeader.add(headers, verdict);
      addShadows(headers, verdict);
    }

    /**
     * Turns the headers of a delayed event into those of a released event, in this style: allowed,
     * by the limit that delayed the event, at its due time.
     */
    public void release(Headers headers) {
      DelayHeaders.release(headers);
      if (this == ONE) OneHeader.fold(headers);
      if (this == NONE) DelayHeaders.removeVerdict(headers);
    }
  }

  private VerdictHeaders() {}

  /** Adds a separate header for each value of the verdict. */
  static void add(Headers headers, Verdict verdict) {
    headers.add(VERDICTS.get(verdict.kind()));
    if (verdict.reason() != Verdict.Reason.NONE) add(headers, REASON, verdict.reason().text);
    for (LimitDecision ruling : verdict.deciding()) explain(headers, verdict.kind(), ruling);
    if (verdict.kind() == Verdict.Kind.DELAYED) DelayHeaders.schedule(headers, verdict.release());
    if (verdict.attempt() == 1) headers.add(FIRST_ATTEMPT);
    else add(headers, ATTEMPT, verdict.attempt());
  }

  static void addShadows(Headers headers, Verdict verdict) {
    for (LimitDecision shadow : verdict.shadows()) add(headers, SHADOW, shadowText(shadow));
  }

  /**
   * Removes all headers that begin with {@code sluice-}. Such headers on an input record are not to
   * be trusted, since any producer may write them.
   */
  public static void removeOurs(Headers headers) {
    for (Header header : headers.toArray()) {
      if (isOurs(header.key())) headers.remove(header.key());
    }
  }

  /**
   * Reads the verdict from the headers of a record, in any style; the keys of the result are header
   * names without {@code sluice-}. Any producer may have written the headers, so their texts are
   * not validated; a text far longer than Sluice writes is left out.
   */
  public static Map<String, String> read(Headers headers) {
    return OneHeader.unfold(headers);
  }

  /**
   * Returns whether the name begins with {@code sluice-}, in letters of any case, because a
   * consumer may ignore the case of header names.
   */
  static boolean isOurs(String name) {
    return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  /** Returns the header {@code sluice-verdict} for this kind of verdict. */
  static Header of(Verdict.Kind kind) {
    return VERDICTS.get(kind);
  }

  private static void explain(Headers headers, Verdict.Kind kind, LimitDecision ruling) {
    Decision decision = ruling.decision();
    add(headers, LIMIT, ruling.limit().rule().name());
    // The limit's count was not read, so there are no numbers to report.
    if (ruling.isUnknown()) return;
    add(headers, REMAINING, decision.remaining());
    if (kind == Verdict.Kind.DELAYED || ruling.refusesForNow()) {
      add(headers, RETRY_AFTER_MS, millis(ruling.waitMicros()));
    }
    add(headers, RESET_AFTER_MS, millis(decision.resetAfterMicros()));
  }

  private static String shadowText(LimitDecision shadow) {
    Decision decision = shadow.decision();
    StringBuilder text = new StringBuilder(96);
    text.append("limit=").append(shadow.limit().rule().name());
    text.append(";verdict=").append(shadow.kind().text);
    if (shadow.reason() != Verdict.Reason.NONE)
      text.append(";reason=").append(shadow.reason().text);
    text.append(";remaining=").append(decision.remaining());
    boolean hasAWait = shadow.refusesForNow() || decision instanceof Decision.Waiting;
    if (hasAWait) text.append(";retry-after-ms=").append(millis(shadow.waitMicros()));
    return text.append(";reset-after-ms=").append(millis(decision.resetAfterMicros())).toString();
  }

  /** Returns microseconds as whole milliseconds, rounded up. */
  static long millis(long micros) {
    return (micros + 999) / 1_000;
  }

  static void add(Headers headers, String key, String text) {
    headers.add(header(key, text));
  }

  static void add(Headers headers, String key, long number) {
    headers.add(new RecordHeader(key, Digits.of(number)));
  }

  private static Header header(String key, String text) {
    return new RecordHeader(key, text.getBytes(StandardCharsets.UTF_8));
  }
}
