package io.sluice.spring.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** The settings under {@code sluice} of an application, as keys and texts. */
final class SluiceSettings {
  private static final Pattern ELEMENT = Pattern.compile("(.+)(?:\\[[0-9]+]|\\.[0-9]+)");

  private SluiceSettings() {}

  /** All of them, whatever they are set by; a list of YAML becomes a comma list. */
  static Map<String, String> of(Environment environment) {
    Map<String, String> texts = new LinkedHashMap<>();
    Binder.get(environment)
        .bind("sluice", Bindable.mapOf(String.class, String.class))
        .orElseGet(Map::of)
        .forEach(
            (name, text) -> {
              Matcher element = ELEMENT.matcher(name);
              String key = "sluice." + (element.matches() ? element.group(1) : name);
              texts.merge(key, text, (before, next) -> before + "," + next);
            });
    return texts;
  }
}
