package io.sluice.topology;

import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.Role;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;

/** Defines the settings that say how events are read: where their fields and schemas are. */
final class EventSettings {
  private static final String PATH = "[^.\\s]([^.]*[^.\\s])?";
  private static final String PATHS = PATH + "(\\." + PATH + ")*";

  private static final Map<Role, Setting<String>> FIELDS = fields();

  static final Setting<Integer> COST_MIN =
      Setting.of(
          Keys.EVENT_COST_MIN,
          "1",
          Form.number(ConfigDef.Type.INT, 0, Integer.MAX_VALUE),
          "What an event must cost at least; one that costs less is a dead letter. 0 lets events ask without using anything up.");

  static final Setting<String> SCHEMAS_FOLDER =
      Setting.optional(
          Keys.SCHEMAS_FOLDER,
          Form.text("a folder", folder -> !folder.isEmpty()),
          "Where the schemas are of events in Confluent's format, each in a file named by its id: 17.avsc.");

  static final Setting<String> SCHEMAS_URL =
      Setting.optional(
          Keys.SCHEMAS_URL,
          new Form<>(ConfigDef.Type.STRING, "an http or https URL", SchemaUrl::checked),
          "The schema registry that knows the schemas of events in Confluent's format.");

  static final Setting<String> SCHEMAS_USER =
      Setting.optional(
          Keys.SCHEMAS_USER,
          Form.text("a name without a colon", "[^:]+"),
          "Whom to log in to the schema registry as, by HTTP's basic authentication.");

  static final Setting<String> SCHEMAS_PASSWORD =
      Setting.optional(
          Keys.SCHEMAS_PASSWORD,
          new Form<>(ConfigDef.Type.PASSWORD, "a password", text -> text),
          "The password of sluice.schemas.user.");

  private EventSettings() {}

  private static Map<Role, Setting<String>> fields() {
    Map<Role, Setting<String>> fields = new EnumMap<>(Role.class);
    fields.put(Role.USER, field(Role.USER, "Where in a record it says who acts."));
    fields.put(Role.ACTION, field(Role.ACTION, "Where it says what is done."));
    fields.put(
        Role.ID,
        field(Role.ID, "Where its id is. The record's topic, partition and offset stand in."));
    fields.put(
        Role.TIME,
        field(Role.TIME, "Where it says when it happened. The record's timestamp stands in."));
    fields.put(Role.COST, field(Role.COST, "Where it says how many permits it needs; else 1."));
    fields.put(
        Role.TARGET, field(Role.TARGET, "Where it says who or what the action is aimed at."));
    fields.put(
        Role.ATTRIBUTES,
        field(
            Role.ATTRIBUTES,
            "The map or nested record whose scalars are attributes.X; . is the record itself."));
    return fields;
  }

  private static Setting<String> field(Role role, String documentation) {
    String none = role.isRequired() ? "" : ", or nothing";
    String whole = role == Role.ATTRIBUTES ? "|\\" + FieldPaths.WHOLE : "";
    String empty = role.isRequired() ? "" : "|";
    return Setting.of(
        keyOf(role),
        role.defaultPath(),
        Form.text("a path: names with dots between" + none, PATHS + whole + empty),
        documentation);
  }

  private static String keyOf(Role role) {
    return switch (role) {
      case USER -> Keys.EVENT_USER;
      case ACTION -> Keys.EVENT_ACTION;
      case ID -> Keys.EVENT_ID;
      case TIME -> Keys.EVENT_TIME;
      case COST -> Keys.EVENT_COST;
      case TARGET -> Keys.EVENT_TARGET;
      case ATTRIBUTES -> Keys.EVENT_ATTRIBUTES;
    };
  }

  /** Where the field with that role is. */
  static Setting<String> path(Role role) {
    return FIELDS.get(role);
  }

  static void addTo(ConfigDef definition) {
    Arrays.stream(Role.values()).map(EventSettings::path).forEach(definition::define);
    definition
        .define(COST_MIN)
        .define(SCHEMAS_FOLDER)
        .define(SCHEMAS_URL)
        .define(SCHEMAS_USER)
        .define(SCHEMAS_PASSWORD);
  }
}
