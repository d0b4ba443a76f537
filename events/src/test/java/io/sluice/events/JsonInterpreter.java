package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.events.RandomSelectors.Call;
import io.sluice.events.RandomSelectors.Path;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Slow and simple interpreter of selectors, on Jackson's tree, as a check of the compiled ones. A
 * value is a {@link JsonNode}, a list of them, or null.
 */
final class JsonInterpreter {
  static final String INVALID = "invalid";

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final JsonNode document;
  private final Map<String, JsonNode> outside;

  /** Thrown if a value is of a wrong kind. */
  private static final class InvalidException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * @param outside values of other parts of the record, by the text that selects them
   */
  JsonInterpreter(String document, Map<String, JsonNode> outside) {
    this.document = parsed(document);
    this.outside = outside;
  }

  private static JsonNode parsed(String text) {
    try {
      JsonNode parsed = JSON.readTree(text);
      if (parsed.isMissingNode()) throw new InvalidException();
      return parsed;
    } catch (JsonProcessingException e) {
      throw new InvalidException();
    }
  }

  /** Returns the text of the result; empty if it is missing, {@link #INVALID} if it is invalid. */
  String text(RandomSelectors.Parsed selector) {
    try {
      Object value = null;
      for (Path each : selector.alternatives()) {
        value = each.outside().isEmpty() ? at(document, each.steps()) : outside.get(each.outside());
        if (value != null) break;
      }
      for (Call call : selector.calls()) {
        if (value == null) return "";
        value = applied(call, value);
      }
      if (value == null) return "";
      return value instanceof List<?> list
          ? list.stream().map(each -> ofNode((JsonNode) each)).toList().toString()
          : ofNode((JsonNode) value);
    } catch (InvalidException e) {
      return INVALID;
    }
  }

  private static Object at(JsonNode node, List<String> steps) {
    if (node == null || node.isNull()) return null;
    if (steps.isEmpty()) return node;
    List<String> rest = steps.subList(1, steps.size());
    String step = steps.get(0);
    if (step.equals("[]")) {
      if (!node.isArray()) return null;
      List<Object> all = new ArrayList<>();
      for (JsonNode element : node) {
        Object one = at(element, rest);
        if (one instanceof List<?> more) all.addAll(more);
        else if (one != null) all.add(one);
      }
      return all;
    }
    if (step.startsWith("[")) {
      int index = Integer.parseInt(step.substring(1, step.length() - 1));
      return node.isArray() ? at(node.get(index), rest) : null;
    }
    return node.isObject() ? at(node.get(step), rest) : null;
  }

  private static String ofNode(JsonNode node) {
    if (node.isContainerNode()) throw new InvalidException();
    if (!node.isNumber()) return node.asText();
    BigDecimal number = node.decimalValue();
    boolean hasExponent = number.scale() < 0;
    if (hasExponent && number.precision() - number.scale() > 100) throw new InvalidException();
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static Object applied(Call call, Object value) {
    if (call.name().equals("count")) {
      if (value instanceof List<?> list) return number(list.size());
      JsonNode node = (JsonNode) value;
      if (!node.isContainerNode()) throw new InvalidException();
      return number(node.size());
    }
    if (value instanceof List<?> list) {
      return list.stream()
          .map(each -> (Object) onNode(call, (JsonNode) each))
          .filter(each -> each != null)
          .collect(Collectors.toList());
    }
    return onNode(call, (JsonNode) value);
  }

  private static JsonNode onNode(Call call, JsonNode node) {
    if (call.name().equals("json")) {
      if (!node.isTextual()) throw new InvalidException();
      return (JsonNode) at(parsed(node.textValue()), call.path());
    }
    if (call.name().equals("number")) {
      if (node.isContainerNode()) throw new InvalidException();
      if (node.isNumber()) return node;
      if (!node.isTextual()) return null;
      try {
        JsonNode number = JSON.readTree(node.textValue().strip());
        return number.isNumber() ? number : null;
      } catch (JsonProcessingException e) {
        return null;
      }
    }
    String text = onText(call, ofNode(node));
    return text == null ? null : JSON.getNodeFactory().textNode(text);
  }

  private static String onText(Call call, String text) {
    return switch (call.name()) {
      case "lower" -> text.toLowerCase(Locale.ROOT);
      case "trim" -> text.strip();
      case "nfc" -> Normalizer.normalize(text, Normalizer.Form.NFC);
      case "sha256" -> sha256(text);
      case "prefix" ->
          text.codePoints()
              .limit(Integer.parseInt(call.argument()))
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      case "before" -> text.split(Pattern.quote(call.argument()), 2)[0];
      case "after" -> {
        String[] parts = text.split(Pattern.quote(call.argument()), 2);
        yield parts.length == 2 ? parts[1] : null;
      }
      case "ip" -> ip(text, call.argument());
      default -> throw new IllegalArgumentException(call.name());
    };
  }

  private static String sha256(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return String.format("%064x", new BigInteger(1, digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the address or network by the JDK's parser, which knows more forms than wanted. */
  private static String ip(String text, String bits) {
    boolean isV4 = text.matches("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
    boolean isV6 = text.matches("[0-9a-fA-F:.]+") && text.contains(":");
    boolean isEmbedded = text.contains(".") && isV6;
    if (isEmbedded && ip(text.substring(text.lastIndexOf(':') + 1), "") == null) return null;
    if (!isV4 && !isV6) return null;
    byte[] address;
    try {
      address = InetAddress.getByName(isV6 ? "[" + text + "]" : text).getAddress();
    } catch (UnknownHostException e) {
      return null;
    }
    if (bits.isEmpty()) return text(address);
    int kept = Integer.parseInt(bits.split(",")[address.length == 4 ? 0 : 1]);
    for (int bit = kept; bit < address.length * 8; bit++) {
      address[bit / 8] &= (byte) ~(0x80 >> (bit % 8));
    }
    return text(address) + "/" + kept;
  }

  private static String text(byte[] address) {
    List<String> parts = new ArrayList<>();
    if (address.length == 4) {
      for (byte each : address) parts.add(Integer.toString(each & 0xff));
      return String.join(".", parts);
    }
    for (int i = 0; i < 16; i += 2) {
      parts.add(Integer.toHexString((address[i] & 0xff) << 8 | (address[i + 1] & 0xff)));
    }
    for (int length = 8; length >= 2; length--) {
      for (int from = 0; from + length <= 8; from++) {
        if (!parts.subList(from, from + length).stream().allMatch("0"::equals)) continue;
        return String.join(":", parts.subList(0, from))
            + "::"
            + String.join(":", parts.subList(from + length, 8));
      }
    }
    return String.join(":", parts);
  }

  private static JsonNode number(int number) {
    return JSON.getNodeFactory().numberNode(number);
  }

  static JsonNode textNode(String text) {
    return JSON.getNodeFactory().textNode(text);
  }

  static JsonNode numberNode(long number) {
    return JSON.getNodeFactory().numberNode(number);
  }
}
