package io.sluice.rules.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Decision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Writes and reads a verdict in one header, such as {@code
 * allowed;limit=post;remaining=14;reset-after-ms=2000}: the names and values of the separate
 * verdict headers, in the order of the manual.
 */
final class OneHeader {
  private static final List<String> NAMES =
      List.of(
          VerdictHeaders.LIMIT,
          VerdictHeaders.REMAINING,
          VerdictHeaders.RETRY_AFTER_MS,
          VerdictHeaders.RESET_AFTER_MS,
          VerdictHeaders.REASON,
          DelayHeaders.RELEASE_AT_MS,
          VerdictHeaders.ATTEMPT);

  /**
   * Pattern of the header values that Sluice writes. A delayed event may have other values, since
   * any producer may write its headers.
   */
  private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9._-]{1,255}");

  /**
   * Maximum length in bytes of a header that is read; Sluice itself never writes such a long
   * header.
   */
  private static final int LONGEST = 1_000;

  private OneHeader() {}

  static void add(Headers headers, Verdict verdict) {
    StringBuilder text = new StringBuilder(96).append(verdict.kind().text);
    for (LimitDecision deciding : verdict.deciding()) {
      append(text, VerdictHeaders.LIMIT, deciding.limit().rule().name());
      if (!deciding.isUnknown()) explain(text, deciding);
    }
    if (verdict.reason() != Verdict.Reason.NONE) {
      append(text, VerdictHeaders.REASON, verdict.reason().text);
    }
    if (verdict.attempt() > 1) append(text, VerdictHeaders.ATTEMPT, verdict.attempt());
    VerdictHeaders.add(headers, VerdictHeaders.VERDICT, text.toString());
  }

  private static void explain(StringBuilder text, LimitDecision deciding) {
    Decision decision = deciding.decision();
    append(text, VerdictHeaders.REMAINING, decision.remaining());
    if (deciding.refusesForNow()) {
      append(text, VerdictHeaders.RETRY_AFTER_MS, VerdictHeaders.millis(deciding.waitMicros()));
    }
    long resetMs = VerdictHeaders.millis(decision.resetAfterMicros());
    append(text, VerdictHeaders.RESET_AFTER_MS, resetMs);
  }

  /** Replaces the separate verdict headers of a released event by one header. */
  static void fold(Headers headers) {
    StringBuilder text = new StringBuilder(96).append(Verdict.Kind.ALLOWED.text);
    for (String name : NAMES) {
      String value = value(headers.lastHeader(name));
      boolean isFirst = name.equals(VerdictHeaders.ATTEMPT) && value.equals("1");
      if (!value.isEmpty() && !isFirst) append(text, name, value);
    }
    DelayHeaders.removeVerdict(headers);
    VerdictHeaders.add(headers, VerdictHeaders.VERDICT, text.toString());
  }

  /**
   * Reads a verdict from one header or from separate headers. The keys of the result are header
   * names without {@code sluice-}.
   */
  static Map<String, String> unfold(Headers headers) {
    Map<String, String> all = new LinkedHashMap<>();
    String[] parts = text(headers.lastHeader(VerdictHeaders.VERDICT)).split(";", -1);
    for (String name : NAMES) {
      String own = text(headers.lastHeader(name));
      String plain = name.substring(VerdictHeaders.PREFIX.length());
      String value = own.isEmpty() ? part(parts, plain + "=") : own;
      if (!value.isEmpty()) all.put(plain, value);
    }
    return all;
  }

  private static String part(String[] parts, String beginning) {
    for (String part : parts) {
      if (part.startsWith(beginning)) return part.substring(beginning.length());
    }
    return "";
  }

  private static String text(Header header) {
    boolean none = header == null || header.value() == null || header.value().length > LONGEST;
    return none ? "" : new String(header.value(), UTF_8);
  }

  /**
   * Returns the text of a header; empty if the header is absent, or if its text cannot have been
   * written by Sluice.
   */
  private static String value(Header header) {
    if (header == null || header.value() == null) return "";
    String value = new String(header.value(), UTF_8);
    return VALUE.matcher(value).matches() ? value : "";
  }

  private static void append(StringBuilder text, String name, String value) {
    text.append(';').append(name, VerdictHeaders.PREFIX.length(), name.length()).append('=');
    text.append(value);
  }

  private static void append(StringBuilder text, String name, long value) {
    text.append(';').append(name, VerdictHeaders.PREFIX.length(), name.length()).append('=');
    text.append(value);
  }
}
