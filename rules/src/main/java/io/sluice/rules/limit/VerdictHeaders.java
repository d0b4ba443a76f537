package io.sluice.rules.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Decision;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Writer and reader of the headers that explain a verdict, as UTF-8 text: a separate header for
 * each {@link VerdictField}, or all fields in one header, such as {@code
 * allowed;limit=post;remaining=14;reset-after-ms=2000}.
 */
public final class VerdictHeaders {
  /**
   * Header with the result of one limit in shadow mode, such as {@code
   * limit=reply;verdict=rejected;...}.
   */
  public static final String SHADOW = "sluice-shadow";

  static final String PREFIX = "sluice-";

  private static final VerdictField[] FIELDS = VerdictField.values();

  /** Fields of the one header, in the order of the manual. */
  private static final VerdictField[] IN_ONE =
      VerdictField.withReasonBefore(VerdictField.RELEASE_AT_MS).stream()
          .filter(field -> field != VerdictField.VERDICT)
          .toArray(VerdictField[]::new);

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

  /**
   * Header of a first attempt, which most events get. It is created once, since a header is
   * immutable.
   */
  private static final Header FIRST_ATTEMPT = header(VerdictField.ATTEMPT.header(), "1");

  private static final Map<Verdict.Kind, Header> VERDICTS = new EnumMap<>(Verdict.Kind.class);

  static {
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      VERDICTS.put(kind, header(VerdictField.VERDICT.header(), kind.text));
    }
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
      else if (this == ONE || verdict.kind() == Verdict.Kind.REJECTED) addOne(headers, verdict);
      addShadows(headers, verdict);
    }

    /**
     * Turns the headers of a delayed event into those of a released event, in this style: allowed,
     * by the limit that delayed the event, at its due time.
     */
    public void release(Headers headers) {
      DelayHeaders.release(headers);
      if (this == ONE) fold(headers);
      if (this == NONE) DelayHeaders.removeVerdict(headers);
    }
  }

  private VerdictHeaders() {}

  /** Adds a separate header for each value of the verdict. It is called for most events. */
  private static void add(Headers headers, Verdict verdict) {
    for (VerdictField field : FIELDS) {
      if (field == VerdictField.VERDICT) headers.add(VERDICTS.get(verdict.kind()));
      else if (isFirstAttempt(field, verdict)) headers.add(FIRST_ATTEMPT);
      else if (field.isNumber()) addNumber(headers, field, verdict);
      else if (!field.text(verdict).isEmpty()) add(headers, field.header(), field.text(verdict));
    }
  }

  private static void addNumber(Headers headers, VerdictField field, Verdict verdict) {
    long number = field.number(verdict);
    if (number == VerdictField.ABSENT) return;
    add(headers, field.header(), number);
    if (field == VerdictField.RELEASE_AT_MS && verdict.metersAgain()) DelayHeaders.hold(headers);
  }

  private static boolean isFirstAttempt(VerdictField field, Verdict verdict) {
    return field == VerdictField.ATTEMPT && verdict.attempt() == 1;
  }

  /** Adds one header with all values of the verdict; without the attempt if it is the first. */
  private static void addOne(Headers headers, Verdict verdict) {
    StringBuilder text = new StringBuilder(96).append(verdict.kind().text);
    for (VerdictField field : IN_ONE) {
      if (isFirstAttempt(field, verdict)) continue;
      if (field.isNumber()) {
        long number = field.number(verdict);
        if (number != VerdictField.ABSENT) begin(text, field).append(number);
      } else if (!field.text(verdict).isEmpty()) {
        begin(text, field).append(field.text(verdict));
      }
    }
    add(headers, VerdictField.VERDICT.header(), text.toString());
  }

  private static StringBuilder begin(StringBuilder text, VerdictField field) {
    return text.append(';').append(field.plain()).append('=');
  }

  /** Replaces the separate verdict headers of a released event by one header. */
  private static void fold(Headers headers) {
    StringBuilder text = new StringBuilder(96).append(Verdict.Kind.ALLOWED.text);
    for (VerdictField field : IN_ONE) {
      String value = written(headers.lastHeader(field.header()));
      boolean isFirst = field == VerdictField.ATTEMPT && value.equals("1");
      if (!value.isEmpty() && !isFirst) begin(text, field).append(value);
    }
    DelayHeaders.removeVerdict(headers);
    add(headers, VerdictField.VERDICT.header(), text.toString());
  }

  /**
   * Returns the text of a header; empty if the header is absent, or if its text cannot have been
   * written by Sluice.
   */
  private static String written(Header header) {
    if (header == null || header.value() == null) return "";
    String value = new String(header.value(), UTF_8);
    return VALUE.matcher(value).matches() ? value : "";
  }

  private static void addShadows(Headers headers, Verdict verdict) {
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
    Map<String, String> all = new LinkedHashMap<>();
    String[] parts = text(headers.lastHeader(VerdictField.VERDICT.header())).split(";", -1);
    for (VerdictField field : IN_ONE) {
      String own = text(headers.lastHeader(field.header()));
      String value = own.isEmpty() ? part(parts, field.plain() + "=") : own;
      if (!value.isEmpty()) all.put(field.plain(), value);
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

  private static String shadowText(LimitDecision shadow) {
    Decision decision = shadow.decision();
    StringBuilder text = new StringBuilder(96);
    text.append("limit=").append(shadow.limit().rule().name());
    text.append(";verdict=").append(shadow.kind().text);
    if (shadow.reason() != Verdict.Reason.NONE)
      text.append(";reason=").append(shadow.reason().text);
    if (shadow.isUnknown()) return text.toString();
    text.append(";remaining=").append(decision.remaining());
    boolean hasAWait = shadow.refusesForNow() || decision instanceof Decision.Waiting;
    if (hasAWait) text.append(";retry-after-ms=").append(VerdictField.millis(shadow.waitMicros()));
    text.append(";reset-after-ms=").append(VerdictField.millis(decision.resetAfterMicros()));
    return text.toString();
  }

  static void add(Headers headers, String key, String text) {
    headers.add(header(key, text));
  }

  static void add(Headers headers, String key, long number) {
    headers.add(new RecordHeader(key, digits(number)));
  }

  private static Header header(String key, String text) {
    return new RecordHeader(key, text.getBytes(UTF_8));
  }

  /**
   * Returns the decimal digits of a number as bytes, without creating a string, because every event
   * gets two or three headers with numbers.
   */
  static byte[] digits(long number) {
    if (number < 0) return Long.toString(number).getBytes(UTF_8);
    int length = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) length++;
    byte[] digits = new byte[length];
    long rest = number;
    for (int i = length - 1; i >= 0; i--) {
      digits[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return digits;
  }
}
