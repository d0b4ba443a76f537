package io.sluice.topology.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.config.ConfigDef;

/** Texts with commas between. Space around a part does not count. */
final class CommaList {
  private CommaList() {}

  /** Any number of parts of a form, none of them twice. */
  static <T> SettingType<List<T>> of(SettingType<T> part, String accepted) {
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
   * The parts; none of a blank text. {@code \,} is a comma inside a part, for which a properties
   * file, where a backslash is itself escaped, says {@code \\,}.
   */
  static List<String> split(String text) {
    if (text.isBlank()) return List.of();
    return Arrays.stream(text.split("(?<!\\\\),", -1))
        .map(part -> part.trim().replace("\\,", ","))
        .toList();
  }
}
