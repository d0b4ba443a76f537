package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.events.Selector.Stage;
import io.sluice.events.Selector.UnfitValueException;
import io.sluice.limiter.Bucket;
import io.sluice.schemas.Values;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Functions of selectors, by their names. */
final class SelectorFunction {
  static final String NAMES =
      "lower, trim, nfc, ip, ip(V4BITS,V6BITS), json, number, count, before(\"X\"), after(\"X\"),"
          + " prefix(N) and sha256";

  private static final Set<String> KNOWN =
      Set.of(
          "lower", "trim", "nfc", "ip", "json", "number", "count", "before", "after", "prefix",
          "sha256");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
  private static final int MOST_DIGITS = 1_000;
  private static final int LONGEST_PREFIX = 1_000;

  /**
   * Largest length of a text that is normalised. The JDK sorts the combining marks behind a letter
   * in quadratic time, so that a single text of 1 MB would take minutes.
   */
  private static final int LONGEST_NFC = 1_000;

  private SelectorFunction() {}

  /** Returns whether a text is a number as in JSON, of a length that numbers have in practice. */
  static boolean isNumber(String text) {
    return text.length() <= MOST_DIGITS && NUMBER.matcher(text).matches();
  }

  static boolean isKnown(String name) {
    return KNOWN.contains(name);
  }

  /**
   * Returns a function with its arguments.
   *
   * @param start index of the name, for mistakes
   * @throws IllegalArgumentException if the arguments are not those of the function
   */
  static Stage of(
      String name, List<SelectorParser.Argument> arguments, SelectorParser parser, int start) {
    Arguments given = new Arguments(name, arguments, parser, start);
    return switch (name) {
      case "lower" -> given.none(new TextFunction(name, text -> text.toLowerCase(Locale.ROOT)));
      case "trim" -> given.none(new TextFunction(name, String::strip));
      case "nfc" -> given.none(new TextFunction(name, SelectorFunction::nfc, LONGEST_NFC));
      case "sha256" ->
          given.none(
              new TextFunction(
                  name, SelectorFunction::sha256, text -> SHA_256.matcher(text).matches()));
      case "json" -> given.none(JsonStage.whole());
      case "number" -> given.none(new NumberFunction());
      case "count" -> given.none(new CountFunction());
      case "ip" -> given.ip();
      case "prefix" -> given.prefix();
      case "before" -> given.before();
      case "after" -> given.after();
      default -> throw new IllegalStateException(name);
    };
  }

  private record Arguments(
      String name, List<SelectorParser.Argument> all, SelectorParser parser, int start) {
    Stage none(Stage stage) {
      if (!all.isEmpty()) throw parser.mistake(start, name + " takes no arguments");
      return stage;
    }

    Stage ip() {
      if (all.isEmpty()) return new TextFunction(name, text -> IpText.of(text, IpText.WHOLE));
      if (all.size() != 2 || all.stream().anyMatch(SelectorParser.Argument::isText)) {
        throw parser.mistake(start, "ip takes no arguments, or two numbers of bits: ip(24,64)");
      }
      IpText.Bits bits = new IpText.Bits(bits(all.get(0), 32), bits(all.get(1), 128));
      return new TextFunction(name, text -> IpText.of(text, bits));
    }

    private int bits(SelectorParser.Argument argument, int most) {
      int bits = Integer.parseInt(argument.value());
      if (bits <= most) return bits;
      throw parser.mistake(argument.at(), "an address has " + most + " bits at most");
    }

    Stage prefix() {
      boolean one = all.size() == 1 && !all.get(0).isText();
      int length = one ? Integer.parseInt(all.get(0).value()) : 0;
      if (length < 1 || length > LONGEST_PREFIX) {
        throw parser.mistake(start, "prefix needs a number of characters, 1 to 1000: prefix(8)");
      }
      return new TextFunction(name, text -> prefix(text, length));
    }

    private static String prefix(String text, int length) {
      if (text.length() <= length) return text;
      if (text.codePointCount(0, text.length()) <= length) return text;
      return text.substring(0, text.offsetByCodePoints(0, length));
    }

    Stage before() {
      String mark = mark();
      return new TextFunction(
          name,
          text -> {
            int found = text.indexOf(mark);
            return found < 0 ? text : text.substring(0, found);
          });
    }

    Stage after() {
      String mark = mark();
      return new TextFunction(
          name,
          text -> {
            int found = text.indexOf(mark);
            return found < 0 ? null : text.substring(found + mark.length());
          });
    }

    private String mark() {
      if (all.size() == 1 && all.get(0).isText() && !all.get(0).value().isEmpty()) {
        return all.get(0).value();
      }
      throw parser.mistake(start, name + " needs a text in double quotes: " + name + "(\"@\")");
    }
  }

  private static String nfc(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) return Normalizer.normalize(text, Normalizer.Form.NFC);
    }
    return text;
  }

  /**
   * Returns the SHA-256 of a text as lower-case hex; the text itself if UTF-8 cannot encode it,
   * since it is refused as a key later.
   */
  private static String sha256(String text) {
    if (!Bucket.isKey(text)) return text;
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Function {@code number}: the number that a text consists of; nothing for another text. */
  private record NumberFunction() implements Stage {
    @Override
    public Object apply(Object value) throws UnfitValueException {
      if (value instanceof String text) {
        String digits = text.strip();
        return isNumber(digits) ? Values.number(digits) : null;
      }
      if (value instanceof Long || value instanceof Values.Decimal) return value;
      if (value instanceof Values.Timestamp time) return time.number();
      if (value instanceof Boolean) return null;
      throw new UnfitValueException("number needs text or a number");
    }

    @Override
    public boolean makesText() {
      return false;
    }
  }

  /** Function {@code count}: the number of a list's elements, or of an object's fields. */
  private record CountFunction() implements Stage {
    @Override
    public Object apply(Object value) throws UnfitValueException {
      if (value instanceof List<?> list) return (long) list.size();
      if (value instanceof Values.Structure structure) return (long) structure.size();
      throw new UnfitValueException("count needs a list");
    }

    @Override
    public boolean makesText() {
      return false;
    }
  }
}
