package io.sluice.rules.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef;

/** Parser of comma-separated lists. Spaces around an element are ignored. */
public final class CommaList {
  private CommaList() {}

  /** Returns the type of a list whose elements have one type; each element may occur once. */
  public static <T> SettingType<List<T>> of(SettingType<T> part, String accepted) {
    return new SettingType<>(ConfigDef.Type.LIST, accepted, text -> read(text, part));
  }

  private static <T> List<T> read(String text, SettingType<T> form) {
    List<T> read = new ArrayList<>();
    Set<T> seen = new HashSet<>();
    for (String part : split(text)) {
      T value = form.read(part);
      if (!seen.add(value)) throw new IllegalArgumentException(part + " is listed twice");
      read.add(value);
    }
    return read;
  }

  /**
   * Splits a comma-separated list; a blank text has no elements. {@code \,} is a comma inside an
   * element, which is written {@code \\,} in a properties file, where backslashes are escaped.
   */
  static List<String> split(String text) {
    if (text.isBlank()) return List.of();
    return Arrays.stream(text.split("(?<!\\\\),", -1))
        .map(part -> part.trim().replace("\\,", ","))
        .toList();
  }
}
