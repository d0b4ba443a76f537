package io.sluice.spring.settings;

import io.sluice.rules.settings.LimitTexts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;

/** Reads the settings of an application whose keys begin with {@code sluice.}, as texts by key. */
final class SluiceSettings {
  private static final Pattern ELEMENT = Pattern.compile("(.+)(?:\\[[0-9]+]|\\.[0-9]+)");

  private SluiceSettings() {}

  /**
   * Reads the settings from all property sources; joins the elements of a YAML list with commas.
   */
  static Map<String, String> of(Environment environment) {
    Map<String, String> texts = new LinkedHashMap<>();
    new Binder(sources(environment), new PropertySourcesPlaceholdersResolver(environment))
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

  private static List<ConfigurationPropertySource> sources(Environment environment) {
    return StreamSupport.stream(ConfigurationPropertySources.get(environment).spliterator(), false)
        .map(source -> source.filter(name -> !isOfService(source.getConfigurationProperty(name))))
        .toList();
  }

  /**
   * Whether a property is an environment variable that Kubernetes sets in every pod because a
   * Service is named {@code sluice}; it is then not a setting.
   */
  private static boolean isOfService(ConfigurationProperty property) {
    return property != null
        && property.getOrigin() instanceof PropertySourceOrigin origin
        && LimitTexts.isOfService(origin.getPropertyName(), String.valueOf(property.getValue()));
  }
}
