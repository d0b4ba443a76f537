package io.sluice.rules.settings;

import java.util.List;
import org.apache.kafka.common.config.ConfigDef;

/** Definition of a setting: a key of a {@link ConfigDef} with a parser for its values. */
public final class Setting<T> extends ConfigDef.ConfigKey {
  /** Prefix of a limit's settings in their definitions; N stands for the limit's name. */
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

  public static <T> Setting<T> of(
      String key, String byDefault, SettingType<T> form, String documentation) {
    return new Setting<>(key, byDefault, form, documentation);
  }

  /** Creates a setting that may be absent and has no default. */
  public static <T> Setting<T> optional(String key, SettingType<T> form, String documentation) {
    return new Setting<>(key, null, form, documentation);
  }

  static <T> Setting<T> required(String key, SettingType<T> form, String documentation) {
    return new Setting<>(key, ConfigDef.NO_DEFAULT_VALUE, form, documentation);
  }

  /** Whether the value of the setting is a secret and must not be shown. */
  boolean isSecret() {
    return type == ConfigDef.Type.PASSWORD;
  }

  /** Key of the setting for a limit; for a setting of the whole application, its only key. */
  public String keyFor(String limit) {
    return name.startsWith(EACH) ? limitPrefix(limit) + name.substring(EACH.length()) : name;
  }

  public static String limitPrefix(String limit) {
    return "sluice.limit." + limit + ".";
  }

  /** Description of the texts that the setting accepts. */
  public String accepted() {
    return form.accepted();
  }

  public T read(String text) {
    return form.read(text);
  }

  /** Default value of the setting, parsed; only for a setting that has one. */
  public T byDefault() {
    return form.read(defaultText());
  }

  /** Default value of the setting as a text of the configuration; empty if there is none. */
  public String defaultText() {
    boolean none = !hasDefault() || defaultValue == null;
    return none ? "" : ConfigDef.convertToString(defaultValue, type);
  }
}
