package io.sluice.spring.method;

import static java.util.stream.Collectors.joining;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Converts the value of a key expression to the texts by which a limit counts calls. */
final class KeyTextConverter {
  private KeyTextConverter() {}

  /**
   * Returns one text for each key field. If the key has one field and the value is a collection,
   * joins its elements into one text.
   *
   * @param fields number of fields in the limit's key
   * @throws IllegalArgumentException if the value does not fit the key; the message names the
   *     problem
   */
  static List<String> values(Object value, int fields) {
    if (!(value instanceof Collection<?> several)) {
      require(fields == 1, "one value, but the limit's key has " + fields + " fields");
      return List.of(of(value));
    }
    List<String> texts = several.stream().map(KeyTextConverter::of).toList();
    if (fields == 1) return List.of(join(texts));
    require(
        texts.size() == fields,
        texts.size() + " values, but the limit's key has " + fields + " fields");
    return texts;
  }

  /** Joins texts into one; different lists give different texts. */
  static String join(List<String> values) {
    return values.stream().map(KeyTextConverter::escape).collect(joining("|"));
  }

  private static String escape(String value) {
    return value.replace("\\", "\\\\").replace("|", "\\|");
  }

  private static String of(Object value) {
    Object plain = value instanceof Optional<?> optional ? optional.orElse(null) : value;
    require(plain != null, "null");
    // Object.toString() differs for each instance, so each call would have its own count.
    require(
        hasText(plain),
        "a " + plain.getClass().getSimpleName() + ", which has no toString() of its own");
    return plain.toString();
  }

  private static boolean hasText(Object value) {
    try {
      return value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e); // every class has the method toString
    }
  }

  private static void require(boolean condition, String problem) {
    if (!condition) throw new IllegalArgumentException(problem);
  }
}
