package io.sluice.topology.limit;

import io.sluice.limiter.Decision;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The headers that explain a verdict, as UTF-8 text. Milliseconds are rounded up, so that whoever
 * waits for them has waited long enough.
 */
public final class VerdictHeaders {
  public static final String VERDICT = "sluice-verdict";
  public static final String LIMIT = "sluice-limit";
  public static final String REMAINING = "sluice-remaining";
  public static final String RETRY_AFTER_MS = "sluice-retry-after-ms";
  public static final String RESET_AFTER_MS = "sluice-reset-after-ms";
  public static final String REASON = "sluice-reason";
  public static final String ATTEMPT = "sluice-attempt";

  /** One for each limit that only watches, such as {@code limit=reply;verdict=rejected;...}. */
  public static final String SHADOW = "sluice-shadow";

  static final String PREFIX = "sluice-";

  /** What most events get, made once; nothing about a header ever changes. */
  private static final Header FIRST_ATTEMPT = header(ATTEMPT, "1");

  private static final Map<Verdict.Kind, Header> VERDICTS = new EnumMap<>(Verdict.Kind.class);

  static {
    for (Verdict.Kind kind : Verdict.Kind.values()) VERDICTS.put(kind, header(VERDICT, kind.text));
  }

  /** How a verdict is written on its event. What waits has a header for each thing in any case. */
  public enum Style {
    /** A header for each thing. */
    EACH,
    /** All in one header. */
    ONE,
    /** Nothing if allowed, else all in one header. */
    NONE;

    /** Writes the verdict in place of any that the record brought along. */
    public void write(Headers headers, Verdict verdict) {
      removeOurs(headers);
      if (this == EACH || verdict.kind() == Verdict.Kind.DELAYED) add(headers, verdict);
      else if (this == ONE || verdict.kind() == Verdict.Kind.REJECTED)
        OneHeader.add(headers, verdict);
      addShadows(headers, verdict);
    }

    /**
     * Turns the headers of a delayed event into those that it leaves with when it is due: allowed,
     * by the limit that delayed it, at the time it was due.
     */
    public void release(Headers headers) {
      DelayHeaders.release(headers);
      if (this == ONE) OneHeader.fold(headers);
      if (this == NONE) DelayHeaders.removeVerdict(headers);
    }
  }

  private VerdictHeaders() {}

  /** Adds a header for each thing that the verdict says. */
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
   * Takes away all that are named as ours are: of what comes from outside none is to be believed.
   */
  public static void removeOurs(Headers headers) {
    for (Header header : headers.toArray()) {
      if (isOurs(header.key())) headers.remove(header.key());
    }
  }

  /**
   * What the headers of a record say of its verdict, in whichever style, by their names without
   * {@code sluice-}. Anybody may have written them: a text may be anything, and what is far longer
   * than Sluice writes is left out.
   */
  public static Map<String, String> read(Headers headers) {
    return OneHeader.unfold(headers);
  }

  /** In letters of any case, since whoever reads them may not tell the cases apart. */
  static boolean isOurs(String name) {
    return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  /** The header that says so. */
  static Header of(Verdict.Kind kind) {
    return VERDICTS.get(kind);
  }

  private static void explain(Headers headers, Verdict.Kind kind, LimitDecision ruling) {
    Decision decision = ruling.decision();
    add(headers, LIMIT, ruling.limit().rule().name());
    if (ruling.isUnknown()) return; // nothing is known of the key
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

  /** Microseconds as whole milliseconds, rounded up. */
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
