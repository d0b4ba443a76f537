package io.sluice.topology.config;

import java.util.List;
import org.apache.kafka.common.config.ConfigDef;

/** A key of a {@link ConfigDef} that knows what its text means. */
final class Setting<T> extends ConfigDef.ConfigKey {
  /** Stands for a limit's name in a key. */
  static final String EACH = "sluice.limit.N.";

  private final SettingType<T> form;

  private Setting(String key, Object byDefault, SettingType<T> form, String documentation) {
    super(
        key,
        form.type(),
        byDefault,
        form,
        ConfigDef.Importance.MEDIUM,
        documentation,
        null,
        -1,
        ConfigDef.Width.NONE,
        key,
        List.of(),
        null,
        false);
    this.form = form;
  }

  static <T> Setting<T> of(
      String key, String byDefault, SettingType<T> form, String documentation) {
    return new Setting<>(key, byDefault, form, documentation);
  }

  /** A setting that means something by being absent. */
  static <T> Setting<T> optional(String key, SettingType<T> form, String documentation) {
    return new Setting<>(key, null, form, documentation);
  }

  static <T> Setting<T> required(String key, SettingType<T> form, String documentation) {
    return new Setting<>(key, ConfigDef.NO_DEFAULT_VALUE, form, documentation);
  }

  /** Whether its value is not to be shown. */
  boolean isSecret() {
    return type == ConfigDef.Type.PASSWORD;
  }

  /** The key it has for one limit; its own if it is not a limit's. */
  String keyFor(String limit) {
    return name.startsWith(EACH) ? limitPrefix(limit) + name.substring(EACH.length()) : name;
  }

  static String limitPrefix(String limit) {
    return "sluice.limit." + limit + ".";
  }

  /** The texts that it may be, for people. */
  String accepted() {
    return form.accepted();
  }

  T read(String text) {
    return form.read(text);
  }

  /** What holds if the key is absent; only for a setting that has a default. */
  T byDefault() {
    return form.read(defaultText());
  }

  /** The default as people write it; empty if there is none. */
  String defaultText() {
    boolean none = !hasDefault() || defaultValue == null;
    return none ? "" : ConfigDef.convertToString(defaultValue, type);
  }
}
