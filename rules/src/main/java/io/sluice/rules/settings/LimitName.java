package io.sluice.rules.settings;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of limits, and how to find them in keys such as {@code sluice.limit.NAME.quota}. A name has
 * no dot, so keys are unambiguous.
 */
public final class LimitName {
  public static final String ACCEPTED = "letters, digits, - and _";

  private static final String NAME = "[A-Za-z0-9_-]+";
  private static final Pattern KEY =
      Pattern.compile("sluice\\.limit\\.(" + NAME + ")\\..*", Pattern.DOTALL);

  private LimitName() {}

  public static SettingType<String> form() {
    return SettingType.text("a limit's name is " + ACCEPTED, NAME);
  }

  /** Name of the limit whose setting the key is; empty if the key is no setting of a limit. */
  public static Optional<String> in(String key) {
    Matcher matcher = KEY.matcher(key);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
