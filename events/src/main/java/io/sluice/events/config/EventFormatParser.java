package io.sluice.events.config;

import io.sluice.events.EventSelectors;
import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.events.EventTimes;
import io.sluice.events.Role;
import io.sluice.events.SchemaConfig;
import io.sluice.events.SchemaDefinition;
import io.sluice.events.Selector;
import io.sluice.events.TopicSelectors;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Parser of the settings for decoding events: selectors, forms of times, lowest cost and schemas.
 * It refuses combinations of settings that cannot work.
 */
final class EventFormatParser {
  private final RawSettings settings;
  private final List<String> inputs;

  /**
   * @param inputs input topics
   */
  EventFormatParser(RawSettings settings, List<String> inputs) {
    this.settings = settings;
    this.inputs = inputs;
  }

  EventFormat read() {
    EventSelectors common = new SelectorsParser(settings, Optional.empty()).read();
    Map<String, EventSelectors> own = new HashMap<>();
    boolean isSound = isSound(settings);
    for (String topic : inputs) {
      if (settings.beginning(Keys.ofInput(topic, Keys.EVENT)).isEmpty()) continue;
      RawSettings ofTopic = settings.forInput(topic);
      own.put(topic, new SelectorsParser(ofTopic, Optional.of(settings)).read());
      isSound &= isSound(ofTopic);
    }
    TopicSelectors selectors = new TopicSelectors(common, own);
    return new EventFormat(selectors, schemas(selectors, isSound));
  }

  /** Whether the selectors have no mistakes, so that schemas can be checked against them. */
  private static boolean isSound(RawSettings settings) {
    return Arrays.stream(Role.values()).map(EventSettings::path).allMatch(settings::sound);
  }

  /** Parser of the selectors of the events of one input topic, or of all. */
  private static final class SelectorsParser {
    private final RawSettings own;
    private final Optional<RawSettings> common;

    /**
     * @param common settings that apply if the own ones lack a key
     */
    SelectorsParser(RawSettings own, Optional<RawSettings> common) {
      this.own = own;
      this.common = common;
    }

    EventSelectors read() {
      Map<Role, String> given = new EnumMap<>(Role.class);
      for (Role role : Role.values()) given.put(role, value(EventSettings.path(role)));
      checkSeparate(given);
      Map<String, String> named = named();
      ValueRules rules = new ValueRules(times(), leastCost(given));
      return EventSelectors.of(given, named, rules);
    }

    private <T> Optional<T> find(Setting<T> setting) {
      if (own.has(setting) || common.isEmpty()) return own.find(setting);
      return common.get().find(setting);
    }

    private <T> T value(Setting<T> setting) {
      return find(setting).orElseGet(setting::byDefault);
    }

    private Map<String, String> named() {
      Map<String, String> named = new LinkedHashMap<>();
      Set<String> names = new LinkedHashSet<>(own.attributeNames());
      common.ifPresent(all -> names.addAll(all.attributeNames()));
      for (String name : names) {
        Setting<String> setting = EventSettings.attribute(name);
        if (own.has(setting)) checkName(name, setting);
        find(setting).ifPresent(selector -> named.put(name, selector));
      }
      return named;
    }

    /** Reports an attribute whose name no limit can use. */
    private void checkName(String name, Setting<String> setting) {
      try {
        Field.ofAttribute(name);
      } catch (IllegalArgumentException e) {
        own.mistake(setting, e.getMessage());
      }
    }

    private EventTimes times() {
      Optional<DateTimeFormatter> pattern = find(EventSettings.TIME_PATTERN);
      Optional<ZoneId> zone = find(EventSettings.TIME_ZONE);
      if (pattern.isPresent() && zone.isEmpty() && !EventTimes.hasOffset(pattern.get())) {
        own.mistake(
            EventSettings.TIME_PATTERN,
            "has no offset, so that no time could be read; set " + Keys.EVENT_TIME_ZONE);
      }
      return new EventTimes(value(EventSettings.TIME_UNIT), pattern, zone);
    }

    /**
     * Returns the smallest valid cost of an event. A value above 1 is reported as a mistake if no
     * selector of the cost is set, since every event would then cost 1.
     */
    private int leastCost(Map<Role, String> selectors) {
      int least = value(EventSettings.COST_MIN);
      if (least > 1 && selectors.get(Role.COST).isEmpty()) {
        own.mistake(
            EventSettings.COST_MIN,
            "without " + Keys.EVENT_COST + " every event costs 1, so all would be dead letters");
      }
      return least;
    }

    /** Reports a path that leads through another field, which then could have no own value. */
    private void checkSeparate(Map<Role, String> selectors) {
      for (Role role : Role.values()) {
        if (!hasPath(selectors.get(role))) continue;
        Selector inner = Selector.parse(selectors.get(role));
        for (Role other : Role.values()) {
          if (other == Role.ATTRIBUTES || selectors.get(other).isEmpty()) continue;
          Selector outer = Selector.parse(selectors.get(other));
          if (!inner.isPlain() || !outer.isPlain()) continue;
          if (inner.leadsThrough(outer)) {
            own.mistake(
                EventSettings.path(role),
                "leads through the %s (%s), which is a field of its own"
                    .formatted(other.label(), outer));
          } else if (role == Role.ATTRIBUTES && inner.alternatives().equals(outer.alternatives())) {
            own.mistake(
                EventSettings.path(own.has(EventSettings.path(other)) ? other : role),
                "the %s and the attributes are at one path (%s)".formatted(other.label(), outer));
          }
        }
      }
    }

    private static boolean hasPath(String selector) {
      return !selector.isEmpty() && !selector.equals(EventSelectors.WHOLE);
    }
  }

  /**
   * Returns the source of the events' schemas. Schemas in a folder are parsed now.
   *
   * @param selectors selectors of the event fields, against which the schemas are checked
   */
  private SchemaConfig schemas(TopicSelectors selectors, boolean isSound) {
    checkLogin();
    if (settings.has(EventSettings.SCHEMAS_URL) && settings.has(EventSettings.SCHEMAS_FOLDER)) {
      settings.mistake(
          EventSettings.SCHEMAS_FOLDER, Keys.SCHEMAS_URL + " is also set; set only one of both");
    }
    String folderPath = settings.find(EventSettings.SCHEMAS_FOLDER).orElse("");
    Map<Long, SchemaDefinition> files = new HashMap<>();
    if (!folderPath.isEmpty() && isSound) {
      new FolderReader(settings, selectors, files).read(folderPath);
    }
    return new SchemaConfig(
        files,
        folderPath,
        new SchemaConfig.Login(
            settings.find(EventSettings.SCHEMAS_URL).orElse(""),
            settings.find(EventSettings.SCHEMAS_USER).orElse(""),
            settings.find(EventSettings.SCHEMAS_PASSWORD).orElse("")),
        idBytes());
  }

  private int idBytes() {
    int bytes =
        settings
            .find(EventSettings.SCHEMAS_ID_BYTES)
            .orElseGet(EventSettings.SCHEMAS_ID_BYTES::byDefault);
    boolean hasSource =
        settings.has(EventSettings.SCHEMAS_URL) || settings.has(EventSettings.SCHEMAS_FOLDER);
    if (bytes != SchemaConfig.NONE.idBytes() && !hasSource) {
      settings.mistake(
          EventSettings.SCHEMAS_ID_BYTES,
          "only applies with " + Keys.SCHEMAS_URL + " or " + Keys.SCHEMAS_FOLDER);
    }
    return bytes;
  }

  private void checkLogin() {
    requireUrl(EventSettings.SCHEMAS_USER);
    requireUrl(EventSettings.SCHEMAS_PASSWORD);
    requireWith(EventSettings.SCHEMAS_USER, EventSettings.SCHEMAS_PASSWORD);
    requireWith(EventSettings.SCHEMAS_PASSWORD, EventSettings.SCHEMAS_USER);
  }

  private void requireUrl(Setting<?> setting) {
    if (settings.has(setting) && !settings.has(EventSettings.SCHEMAS_URL)) {
      settings.mistake(setting, "only applies with " + Keys.SCHEMAS_URL);
    }
  }

  private void requireWith(Setting<?> given, Setting<?> other) {
    if (settings.has(given) && !settings.has(other)) {
      settings.missing(other, given.name + " requires it");
    }
  }

  /** Reader of the folder of schemas. Each mistake names its file. */
  private static final class FolderReader {
    private static final Pattern IMPORT =
        Pattern.compile("(?m)^\\s*import\\s+(?:public\\s+|weak\\s+)?[\"']([^\"']+)[\"']\\s*;");

    private final RawSettings settings;
    private final TopicSelectors selectors;
    private final Map<Long, SchemaDefinition> schemas;
    private final Map<Long, String> names = new HashMap<>();

    /**
     * @param schemas receives the schemas
     */
    FolderReader(
        RawSettings settings, TopicSelectors selectors, Map<Long, SchemaDefinition> schemas) {
      this.settings = settings;
      this.selectors = selectors;
      this.schemas = schemas;
    }

    void read(String folder) {
      try (Stream<Path> files = Files.list(Path.of(folder))) {
        files.sorted().forEach(file -> type(file).ifPresent(type -> readInto(file, type)));
      } catch (IOException | UncheckedIOException | InvalidPathException e) {
        mistake("a folder that can be read");
        return;
      }
      if (schemas.isEmpty() && settings.sound(EventSettings.SCHEMAS_FOLDER)) {
        mistake("a folder with files named by their ids, such as 17.avsc, 17.proto or 17.json");
      }
    }

    private void mistake(String why) {
      settings.mistake(EventSettings.SCHEMAS_FOLDER, why);
    }

    /** Returns the type of the schema in a file; empty if the file has none. */
    private static Optional<SchemaDefinition.Type> type(Path file) {
      return Arrays.stream(SchemaDefinition.Type.values())
          .filter(each -> file.toString().endsWith("." + each.suffix()))
          .findFirst();
    }

    private void readInto(Path file, SchemaDefinition.Type type) {
      String name = file.getFileName().toString();
      try {
        long id = id(name.substring(0, name.length() - type.suffix().length() - 1));
        String other = names.putIfAbsent(id, name);
        if (other != null) {
          mistake(name + " has the same id as " + other);
          return;
        }
        SchemaDefinition definition = definition(file, type);
        // A schema need not fit all topics: events of the others are refused when they come.
        selectors.requireAnyReads(definition);
        schemas.put(id, definition);
      } catch (NumberFormatException e) {
        mistake(name + " is not named by an id, such as 17." + type.suffix());
      } catch (IllegalArgumentException e) {
        mistake(name + ": " + e.getMessage());
      } catch (IOException e) {
        mistake(name + " cannot be read");
      }
    }

    /** Reads a file and, for Protobuf, the files in the folder that it imports. */
    private static SchemaDefinition definition(Path file, SchemaDefinition.Type type)
        throws IOException {
      String text = Files.readString(file);
      Map<String, String> imports = new LinkedHashMap<>();
      if (type == SchemaDefinition.Type.PROTOBUF) addImports(text, file.getParent(), imports);
      return new SchemaDefinition(
          type,
          text,
          imports.entrySet().stream()
              .map(each -> new SchemaDefinition.Import(each.getKey(), each.getValue()))
              .toList());
    }

    private static void addImports(String text, Path folder, Map<String, String> imports)
        throws IOException {
      for (Matcher each = IMPORT.matcher(text); each.find(); ) {
        String name = each.group(1);
        Path file = folder.resolve(name).normalize();
        if (imports.containsKey(name) || !file.startsWith(folder.normalize())) continue;
        if (!Files.isRegularFile(file)) continue; // one of Protobuf's own, or not needed
        String imported = Files.readString(file);
        imports.put(name, imported);
        addImports(imported, folder, imports);
      }
    }

    /**
     * Parses the id of a schema from its file's name. A sign is refused, since the schema ids in
     * records have none.
     */
    private static long id(String digits) {
      if (!digits.matches("[0-9]+")) throw new NumberFormatException(digits);
      return Long.parseLong(digits);
    }
  }
}
