package io.sluice.topology;

import io.sluice.limiter.Decision;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The headers that explain a verdict, as UTF-8 text. Milliseconds are rounded up, so that whoever
 * waits for them has waited long enough.
 */
final class VerdictHeaders {
  static final String VERDICT = "sluice-verdict";
  static final String LIMIT = "sluice-limit";
  static final String REMAINING = "sluice-remaining";
  static final String RETRY_AFTER_MS = "sluice-retry-after-ms";
  static final String RESET_AFTER_MS = "sluice-reset-after-ms";
  static final String REASON = "sluice-reason";
  static final String ATTEMPT = "sluice-attempt";

  /** When a delayed event is due, epoch milliseconds. It stays with the event when it leaves. */
  static final String RELEASE_AT_MS = "sluice-release-at-ms";

  /** {@link #TO_METER} if a delayed event is then metered again; absent if it is allowed. */
  static final String RELEASE_TO = "sluice-release-to";

  /** The record that a delayed event came in, as topic-partition-offset. */
  static final String ORIGIN = "sluice-origin";

  static final String TO_METER = "meter";
  static final String TO_ALLOWED = "allowed";

  /** One for each limit that only watches, such as {@code limit=reply;verdict=rejected;...}. */
  static final String SHADOW = "sluice-shadow";

  private static final String PREFIX = "sluice-";

  /** What a record on the topic of delayed events may have. */
  private static final Set<String> PROTOCOL =
      Set.of(
          VERDICT,
          LIMIT,
          REMAINING,
          RETRY_AFTER_MS,
          RESET_AFTER_MS,
          REASON,
          ATTEMPT,
          SHADOW,
          RELEASE_AT_MS,
          RELEASE_TO,
          ORIGIN);

  /** What most events get, made once; nothing about a header ever changes. */
  private static final Header FIRST_ATTEMPT = header(ATTEMPT, "1");

  private static final Map<Verdict.Kind, Header> VERDICTS = new EnumMap<>(Verdict.Kind.class);

  static {
    for (Verdict.Kind kind : Verdict.Kind.values()) VERDICTS.put(kind, header(VERDICT, kind.text));
  }

  private VerdictHeaders() {}

  /** Writes the verdict in place of any that the record brought along. */
  static void write(Headers headers, Verdict verdict) {
    removeOurs(headers);
    headers.add(VERDICTS.get(verdict.kind()));
    if (verdict.reason() != Verdict.Reason.NONE) add(headers, REASON, verdict.reason().text);
    for (Ruling ruling : verdict.deciding()) explain(headers, verdict.kind(), ruling);
    if (verdict.kind() == Verdict.Kind.DELAYED) schedule(headers, verdict.release());
    if (verdict.attempt() == 1) headers.add(FIRST_ATTEMPT);
    else add(headers, ATTEMPT, verdict.attempt());
    for (Ruling shadow : verdict.shadows()) add(headers, SHADOW, shadowText(shadow));
  }

  /**
   * Takes away all that are named as ours are: of what comes from outside none is to be believed.
   */
  static void removeOurs(Headers headers) {
    for (Header header : headers.toArray()) {
      if (isOurs(header.key())) headers.remove(header.key());
    }
  }

  /** The same, except for what the topic of delayed events is read by. */
  static void removeOthers(Headers headers) {
    for (Header header : headers.toArray()) {
      if (isOurs(header.key()) && !PROTOCOL.contains(header.key())) headers.remove(header.key());
    }
  }

  /** In letters of any case, since whoever reads them may not tell the cases apart. */
  private static boolean isOurs(String name) {
    return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  private static void schedule(Headers headers, Release release) {
    add(headers, RELEASE_AT_MS, release.atMs());
    if (release.metersAgain()) add(headers, RELEASE_TO, TO_METER);
  }

  /** Names the record that a delayed event came in, by which it is known when it comes back. */
  static void origin(Headers headers, Event event) {
    add(headers, ORIGIN, event.origin());
  }

  /**
   * Turns the headers of a delayed event into those that it leaves with when it is due: allowed, by
   * the limit that delayed it, at the time it was due. The wait is over and not mentioned; nor is
   * the time, if it conformed at once and only let others go first, which is a matter of chance.
   */
  static void release(Headers headers) {
    if (isZero(headers.lastHeader(RETRY_AFTER_MS))) headers.remove(RELEASE_AT_MS);
    headers.remove(VERDICT).remove(RETRY_AFTER_MS).remove(RELEASE_TO).remove(ORIGIN);
    headers.add(VERDICTS.get(Verdict.Kind.ALLOWED));
  }

  private static boolean isZero(Header wait) {
    return wait != null && Arrays.equals(wait.value(), new byte[] {'0'});
  }

  private static void explain(Headers headers, Verdict.Kind kind, Ruling ruling) {
    Decision decision = ruling.decision();
    add(headers, LIMIT, ruling.limit().rule().name());
    if (ruling.isUnavailable()) return; // nothing is known of the key
    add(headers, REMAINING, decision.remaining());
    if (kind == Verdict.Kind.DELAYED || decision instanceof Decision.NonConforming) {
      add(headers, RETRY_AFTER_MS, millis(ruling.waitMicros()));
    }
    add(headers, RESET_AFTER_MS, millis(decision.resetAfterMicros()));
  }

  private static String shadowText(Ruling shadow) {
    Decision decision = shadow.decision();
    StringBuilder text = new StringBuilder(96);
    text.append("limit=").append(shadow.limit().rule().name());
    text.append(";verdict=").append(shadow.kind().text);
    if (shadow.reason() != Verdict.Reason.NONE)
      text.append(";reason=").append(shadow.reason().text);
    text.append(";remaining=").append(decision.remaining());
    boolean hasAWait =
        decision instanceof Decision.NonConforming || decision instanceof Decision.Waiting;
    if (hasAWait) text.append(";retry-after-ms=").append(millis(shadow.waitMicros()));
    return text.append(";reset-after-ms=").append(millis(decision.resetAfterMicros())).toString();
  }

  /** Microseconds as whole milliseconds, rounded up. */
  static long millis(long micros) {
    return (micros + 999) / 1_000;
  }

  private static void add(Headers headers, String key, String text) {
    headers.add(header(key, text));
  }

  private static void add(Headers headers, String key, long number) {
    headers.add(new RecordHeader(key, Digits.of(number)));
  }

  private static Header header(String key, String text) {
    return new RecordHeader(key, text.getBytes(StandardCharsets.UTF_8));
  }
}
