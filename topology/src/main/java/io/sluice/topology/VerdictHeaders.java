package io.sluice.topology;

import io.sluice.limiter.Decision;
import java.nio.charset.StandardCharsets;
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

  /** One for each limit that only watches, such as {@code limit=reply;verdict=rejected;...}. */
  static final String SHADOW = "sluice-shadow";

  private static final Set<String> OURS =
      Set.of(VERDICT, LIMIT, REMAINING, RETRY_AFTER_MS, RESET_AFTER_MS, REASON, ATTEMPT, SHADOW);

  private VerdictHeaders() {}

  /** Writes the verdict in place of any that the record brought along. */
  static void write(Headers headers, Verdict verdict) {
    removeOurs(headers);
    add(headers, VERDICT, verdict.kind().text);
    if (verdict.reason() != Verdict.Reason.NONE) add(headers, REASON, verdict.reason().text);
    for (Ruling ruling : verdict.deciding()) explain(headers, ruling);
    add(headers, ATTEMPT, Integer.toString(verdict.attempt()));
    for (Ruling shadow : verdict.shadows()) add(headers, SHADOW, shadowText(shadow));
  }

  private static void removeOurs(Headers headers) {
    for (Header header : headers.toArray()) {
      if (OURS.contains(header.key())) headers.remove(header.key());
    }
  }

  private static void explain(Headers headers, Ruling ruling) {
    Decision decision = ruling.decision();
    add(headers, LIMIT, ruling.limit().rule().name());
    if (ruling.isUnavailable()) return; // nothing is known of the key
    add(headers, REMAINING, Long.toString(decision.remaining()));
    if (decision instanceof Decision.NonConforming refused) {
      add(headers, RETRY_AFTER_MS, millis(refused.retryAfterMicros()));
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
    if (decision instanceof Decision.NonConforming refused) {
      text.append(";retry-after-ms=").append(millis(refused.retryAfterMicros()));
    }
    return text.append(";reset-after-ms=").append(millis(decision.resetAfterMicros())).toString();
  }

  /** Microseconds as whole milliseconds, rounded up. */
  static String millis(long micros) {
    return Long.toString((micros + 999) / 1_000);
  }

  private static void add(Headers headers, String key, String text) {
    headers.add(new RecordHeader(key, text.getBytes(StandardCharsets.UTF_8)));
  }
}
