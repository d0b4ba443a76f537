package io.sluice.live.change;

import io.sluice.rules.event.Field;
import io.sluice.rules.revision.Scope;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Parser of {@code NAME=VALUE} arguments. The first {@code =} separates name and value; the value
 * may contain more of them.
 */
public final class NamedValues {
  private NamedValues() {}

  /**
   * Parses settings such as {@code quota=10/60s}; each setting may occur once. Adds mistakes to the
   * list.
   */
  static Map<String, String> settings(List<String> given, List<String> mistakes) {
    Map<String, String> settings = new TreeMap<>();
    for (String each : given) {
      int at = each.indexOf('=');
      if (at < 1) {
        mistakes.add(
            RevisionFormatter.plain(each)
                + ": must be a setting and its value, such as quota=10/60s");
      } else if (settings.put(each.substring(0, at), each.substring(at + 1)) != null) {
        mistakes.add(RevisionFormatter.plain(each.substring(0, at)) + ": is there twice");
      }
    }
    return settings;
  }

  /**
   * Parses values of event fields, such as {@code userId=eve}; each field may occur once.
   *
   * @param named name of the argument, for messages
   */
  public static Scope scope(String named, List<String> given, List<String> mistakes) {
    Map<Field, String> values = new HashMap<>();
    for (String each : given) {
      int at = each.indexOf('=');
      if (at < 0 || at == each.length() - 1) mistakes.add(notAValue(named, each));
      else put(named, each, values, mistakes);
    }
    return values.isEmpty() ? Scope.WHOLE : Scope.of(values);
  }

  private static void put(
      String named, String given, Map<Field, String> values, List<String> mistakes) {
    String name = given.substring(0, given.indexOf('='));
    try {
      if (values.put(Field.parse(name), given.substring(name.length() + 1)) == null) return;
      mistakes.add(named + " " + RevisionFormatter.plain(name) + ": is there twice");
    } catch (IllegalArgumentException e) {
      mistakes.add(notAValue(named, given));
    }
  }

  private static String notAValue(String named, String given) {
    return named
        + " "
        + RevisionFormatter.plain(given)
        + ": must be a field and a value, such as userId=shop-7; a field is "
        + Field.NAMES;
  }
}
