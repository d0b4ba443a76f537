package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.Setting;
import io.sluice.topology.config.ConfigReport.ConfigReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;

class ConfigReferenceTest {
  @Test
  void bothReferencesHaveEveryKeyAndItsDefault() {
    String markdown = ConfigReference.markdown();
    String text = ConfigReference.text();
    for (ConfigDef.ConfigKey key : keys()) {
      assertThat(markdown).contains("| `" + key.name + "` | ");
      assertThat(text).containsPattern("(?m)^" + java.util.regex.Pattern.quote(key.name) + " ");
      if (key.hasDefault()) {
        assertThat(markdown).contains(((Setting<?>) key).defaultText());
      }
    }
  }

  @Test
  void everyKeyIsSaidWhatItIs() {
    assertThat(keys()).allMatch(key -> key.documentation.endsWith("."));
  }

  /** A constant that ends with a dot is the first part of keys with a name in them. */
  @Test
  void everyKeyConstantIsDefinedAndEveryDefinitionHasAConstant() throws IllegalAccessException {
    Set<String> constants = new TreeSet<>();
    for (Field field : Keys.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers())) constants.add((String) field.get(null));
    }
    assertThat(constants).contains(Keys.EVENT, Keys.EVENT_ATTRIBUTE);
    constants.removeIf(key -> key.endsWith("."));
    assertThat(CommonSettings.definition().names()).containsExactlyInAnyOrderElementsOf(constants);
  }

  @Test
  void aDefaultIsAcceptedWhenGiven() {
    for (ConfigDef.ConfigKey key : keys()) {
      Setting<?> setting = (Setting<?>) key;
      if (setting.hasDefault() && setting.defaultValue != null) {
        assertThat(setting.read(setting.defaultText())).isEqualTo(setting.byDefault());
      }
    }
  }

  @Test
  void theTextFitsATerminal() {
    assertThat(ConfigReference.text().lines()).allMatch(line -> line.length() <= 120);
  }

  @Test
  void theColumnsOfTheTextAreAligned() {
    List<String> lines = ConfigReference.text().lines().toList();
    int defaults = lines.get(0).indexOf("DEFAULT");

    assertThat(lines)
        .filteredOn(line -> line.startsWith("sluice.time "))
        .singleElement()
        .asString()
        .satisfies(line -> assertThat(line.substring(defaults)).startsWith("event "));
  }

  @Test
  void theRowsOfTheMarkdownHaveFourCells() {
    assertThat(Arrays.stream(ConfigReference.markdown().split("\n")).filter(l -> l.startsWith("|")))
        .allMatch(line -> line.replace("\\|", "").chars().filter(c -> c == '|').count() == 5);
  }

  private static List<ConfigDef.ConfigKey> keys() {
    List<ConfigDef.ConfigKey> keys =
        new ArrayList<>(CommonSettings.definition().configKeys().values());
    keys.addAll(LimitSettings.definition().configKeys().values());
    return keys;
  }
}
