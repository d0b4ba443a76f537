package io.sluice.events.config;

import io.sluice.events.EventSelectors;
import io.sluice.events.EventTimes;
import io.sluice.events.Role;
import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.Setting;
import io.sluice.rules.settings.SettingType;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Definitions of the settings for decoding events: the selectors of their fields, the forms of
 * times, the lowest cost, and the schemas.
 */
public final class EventSettings {
  private static final Map<Role, Setting<String>> FIELDS = fields();

  static final Setting<Integer> COST_MIN =
      Setting.of(
          Keys.EVENT_COST_MIN,
          "1",
          SettingType.number(ConfigDef.Type.INT, 0, Integer.MAX_VALUE),
          "The lowest cost that an event may have. An event with a lower cost is a dead letter. An event with a cost of 0 uses up no quota.");

  static final Setting<EventTimes.Unit> TIME_UNIT =
      Setting.of(
          Keys.EVENT_TIME_UNIT,
          "auto",
          SettingType.oneOf(EventTimes.Unit.class),
          "The unit of times that are numbers: s, ms, us or ns, with fractions. With auto, a number is milliseconds; with 16 digits it is microseconds, with 19 digits nanoseconds, and with 10 digits a dead letter, since it is probably seconds.");

  static final Setting<DateTimeFormatter> TIME_PATTERN =
      Setting.optional(
          Keys.EVENT_TIME_PATTERN,
          new SettingType<>(
              ConfigDef.Type.STRING,
              "a pattern of Java's DateTimeFormatter with a date and a time, such as dd.MM.uuuu HH:mm:ss",
              EventTimes::pattern),
          "The pattern of times that are text, in English, for forms other than ISO-8601.");

  static final Setting<ZoneId> TIME_ZONE =
      Setting.optional(
          Keys.EVENT_TIME_ZONE,
          new SettingType<>(
              ConfigDef.Type.STRING,
              "a time zone, such as Europe/Berlin or Z",
              EventSettings::zone),
          "The time zone of times without an offset. Without it, such an event is a dead letter.");

  static final Setting<String> SCHEMAS_FOLDER =
      Setting.optional(
          Keys.SCHEMAS_FOLDER,
          SettingType.text("a folder", folder -> !folder.isEmpty()),
          "The folder with the schemas of events in Confluent's format. The id of a schema is the name of its file: 17.avsc, 17.proto or 17.json.");

  static final Setting<Integer> SCHEMAS_ID_BYTES =
      Setting.of(
          Keys.SCHEMAS_ID_BYTES,
          "4",
          new SettingType<>(ConfigDef.Type.INT, "4 or 8", EventSettings::idBytes),
          "The number of bytes of a schema's id before the body of a value: 4, as Confluent's serializers write it, or 8, as older ones of Apicurio do.");

  static final Setting<String> SCHEMAS_URL =
      Setting.optional(
          Keys.SCHEMAS_URL,
          new SettingType<>(ConfigDef.Type.STRING, "an http or https URL", SchemaUrl::checked),
          "The schema registry with the schemas of events in Confluent's format.");

  static final Setting<String> SCHEMAS_USER =
      Setting.optional(
          Keys.SCHEMAS_USER,
          SettingType.text("a name without a colon", "[^:]+"),
          "The user for the schema registry, with HTTP basic authentication.");

  static final Setting<String> SCHEMAS_PASSWORD =
      Setting.optional(
          Keys.SCHEMAS_PASSWORD,
          new SettingType<>(ConfigDef.Type.PASSWORD, "a password", text -> text),
          "The password of sluice.schemas.user.");

  private EventSettings() {}

  private static int idBytes(String text) {
    if (text.equals("4") || text.equals("8")) return Integer.parseInt(text);
    throw new IllegalArgumentException("4 or 8");
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a time zone, such as Europe/Berlin or Z", e);
    }
  }

  /** Returns the setting that gives the selector of a named attribute. */
  static Setting<String> attribute(String name) {
    return Setting.optional(
        Keys.EVENT_ATTRIBUTE + name,
        new SettingType<>(
            ConfigDef.Type.STRING,
            "a selector",
            text -> {
              EventSelectors.parseAttribute(text);
              return text;
            }),
        "The selector of attributes."
            + name
            + ", for limits that name this attribute. A selector of a list, such as to[].address, is only for distinct.");
  }

  /** Adds the settings whose keys contain names to a table for users. */
  public static void addNamedTo(ConfigDef definition) {
    definition
        .define(attribute("NAME"))
        .define(
            Setting.optional(
                Keys.ofInput("TOPIC", Keys.EVENT) + "*",
                new SettingType<>(
                    ConfigDef.Type.STRING, "as the same setting in sluice.event.*", text -> text),
                "Any of the settings sluice.event.*, except sluice.event.missing, for the events of one input topic. A setting that is absent there is taken from sluice.event.*."));
  }

  private static Map<Role, Setting<String>> fields() {
    Map<Role, Setting<String>> fields = new EnumMap<>(Role.class);
    fields.put(Role.USER, field(Role.USER, "The selector of the user who acts."));
    fields.put(
        Role.ACTION,
        field(
            Role.ACTION,
            "The selector of the action. If it is empty, the name of the input topic is the action."));
    fields.put(
        Role.ID,
        field(
            Role.ID,
            "The selector of the event's id. If it is absent, the record's topic, partition and offset are the id."));
    fields.put(
        Role.TIME,
        field(
            Role.TIME,
            "The selector of the event's time. If it is absent, the record's timestamp is used."));
    fields.put(
        Role.COST,
        field(
            Role.COST,
            "The selector of the number of permits that the event needs. If it is absent, 1."));
    fields.put(
        Role.TARGET,
        field(Role.TARGET, "The selector of the person or thing that the action is aimed at."));
    fields.put(
        Role.EXPIRES,
        field(
            Role.EXPIRES,
            "The selector of the time after which the event is of no use. An event that waits in line then is rejected, with the reason expired. If it is absent or null, the event has no end. Only for events that match a limit with exceeded=queue."));
    fields.put(
        Role.ATTRIBUTES,
        field(
            Role.ATTRIBUTES,
            "The path to a map or nested record. Its scalars are attributes.X. A single . stands for the whole record."));
    return fields;
  }

  private static Setting<String> field(Role role, String documentation) {
    boolean isOptional = role != Role.USER;
    String accepted =
        role == Role.ATTRIBUTES
            ? "a path, a single . or nothing"
            : "a selector" + (isOptional ? ", or nothing" : "");
    return Setting.of(
        keyOf(role),
        role.defaultPath(),
        new SettingType<>(ConfigDef.Type.STRING, accepted, text -> checked(role, text, isOptional)),
        documentation);
  }

  /**
   * Returns the selector of a field as it was given.
   *
   * @throws IllegalArgumentException if it is not a selector for the field
   */
  private static String checked(Role role, String text, boolean isOptional) {
    boolean isNothing = isOptional && text.isEmpty();
    boolean isWhole = role == Role.ATTRIBUTES && text.equals(EventSelectors.WHOLE);
    if (!isNothing && !isWhole) EventSelectors.parse(role, text);
    return text;
  }

  private static String keyOf(Role role) {
    return switch (role) {
      case USER -> Keys.EVENT_USER;
      case ACTION -> Keys.EVENT_ACTION;
      case ID -> Keys.EVENT_ID;
      case TIME -> Keys.EVENT_TIME;
      case COST -> Keys.EVENT_COST;
      case TARGET -> Keys.EVENT_TARGET;
      case EXPIRES -> Keys.EVENT_EXPIRES;
      case ATTRIBUTES -> Keys.EVENT_ATTRIBUTES;
    };
  }

  /** Returns the setting that gives the path of an event field. */
  public static Setting<String> path(Role role) {
    return FIELDS.get(role);
  }

  /** Returns the keys of the settings that an input topic may have of its own. */
  public static Set<String> names() {
    ConfigDef definition = new ConfigDef();
    addTo(definition);
    return definition.names().stream()
        .filter(name -> name.startsWith(Keys.EVENT))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Adds all settings to a table of settings. */
  public static void addTo(ConfigDef definition) {
    Arrays.stream(Role.values()).map(EventSettings::path).forEach(definition::define);
    definition
        .define(COST_MIN)
        .define(TIME_UNIT)
        .define(TIME_PATTERN)
        .define(TIME_ZONE)
        .define(SCHEMAS_FOLDER)
        .define(SCHEMAS_ID_BYTES)
        .define(SCHEMAS_URL)
        .define(SCHEMAS_USER)
        .define(SCHEMAS_PASSWORD);
  }

  /** Validation of a schema registry's URL. */
  static final class SchemaUrl {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    private SchemaUrl() {}

    /**
     * Checks the URL and returns it without slashes at its end.
     *
     * @throws IllegalArgumentException if the URL is invalid or contains a user
     */
    static String checked(String text) {
      URI uri;
      try {
        uri = new URI(text);
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException("such as http://localhost:8081", e);
      }
      boolean http = uri.getScheme() != null && SCHEMES.contains(uri.getScheme());
      if (!http || uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
        throw new IllegalArgumentException("such as http://localhost:8081");
      }
      if (uri.getUserInfo() != null) {
        throw new IllegalArgumentException(
            "user and password go into " + Keys.SCHEMAS_USER + " and .password");
      }
      return text.replaceAll("/+$", "");
    }
  }
}
