package io.sluice.topology.config;

import static java.util.stream.Collectors.toMap;

import io.sluice.rules.event.Keys;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.Setting;
import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.RecordReader;
import io.sluice.schemas.Role;
import io.sluice.topology.config.CheckedSettings.EventFormat;
import io.sluice.topology.event.SchemaConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Parser of the settings for decoding events: field paths, lowest cost and schemas. It refuses
 * combinations of settings that cannot work.
 */
final class EventFormatParser {
  private static final String SUFFIX = ".avsc";

  private final RawSettings settings;

  EventFormatParser(RawSettings settings) {
    this.settings = settings;
  }

  EventFormat read() {
    FieldPaths paths = paths();
    int leastCost = leastCost(paths);
    return new EventFormat(paths, leastCost, schemas(paths));
  }

  /**
   * Returns the paths of the fields in an event. A path that overlaps another path is reported as a
   * mistake.
   */
  private FieldPaths paths() {
    List<Role> given =
        Arrays.stream(Role.values())
            .filter(role -> settings.find(EventSettings.path(role)).isPresent())
            .toList();
    FieldPaths paths = FieldPaths.of(given.stream().collect(toMap(role -> role, role -> "")));
    for (Role role : given) paths = with(paths, role);
    return paths;
  }

  private FieldPaths with(FieldPaths paths, Role role) {
    Setting<String> setting = EventSettings.path(role);
    try {
      return paths.with(role, settings.read(setting));
    } catch (IllegalArgumentException e) {
      settings.mistake(setting, e.getMessage());
      return paths;
    }
  }

  /**
   * Returns the smallest valid cost of an event. A value above 1 is reported as a mistake if no
   * path to the cost is set, since every event would then cost 1.
   */
  private int leastCost(FieldPaths paths) {
    int least = settings.read(EventSettings.COST_MIN);
    if (least > 1 && paths.of(Role.COST).isEmpty()) {
      settings.mistake(
          EventSettings.COST_MIN,
          "without " + Keys.EVENT_COST + " every event costs 1, so all would be dead letters");
    }
    return least;
  }

  /**
   * Returns the source of the events' Avro schemas. Schemas in a folder are parsed now.
   *
   * @param paths paths of the event fields, against which the schemas are checked
   */
  private SchemaConfig schemas(FieldPaths paths) {
    checkLogin();
    if (settings.has(EventSettings.SCHEMAS_URL) && settings.has(EventSettings.SCHEMAS_FOLDER)) {
      settings.mistake(
          EventSettings.SCHEMAS_FOLDER, Keys.SCHEMAS_URL + " is also set; set only one of both");
    }
    String folderPath = settings.find(EventSettings.SCHEMAS_FOLDER).orElse("");
    return new SchemaConfig(
        folderPath.isEmpty() || !soundPaths() ? Map.of() : files(folderPath, paths),
        folderPath,
        settings.find(EventSettings.SCHEMAS_URL).orElse(""),
        settings.find(EventSettings.SCHEMAS_USER).orElse(""),
        settings.find(EventSettings.SCHEMAS_PASSWORD).orElse(""));
  }

  /** Whether the field paths have no mistakes, so that schemas can be checked against them. */
  private boolean soundPaths() {
    return Arrays.stream(Role.values()).map(EventSettings::path).allMatch(settings::sound);
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

  private Map<Integer, RecordReader> files(String folder, FieldPaths paths) {
    Map<Integer, RecordReader> schemas = new HashMap<>();
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      files
          .filter(file -> file.toString().endsWith(SUFFIX))
          .sorted()
          .forEach(file -> readInto(schemas, file, paths));
    } catch (IOException | UncheckedIOException | InvalidPathException e) {
      settings.mistake(EventSettings.SCHEMAS_FOLDER, "a folder that can be read");
      return schemas;
    }
    if (schemas.isEmpty() && settings.sound(EventSettings.SCHEMAS_FOLDER)) {
      settings.mistake(
          EventSettings.SCHEMAS_FOLDER, "a folder with files named by their ids, such as 17.avsc");
    }
    return schemas;
  }

  private void readInto(Map<Integer, RecordReader> schemas, Path file, FieldPaths paths) {
    String name = file.getFileName().toString();
    try {
      int id = id(name.substring(0, name.length() - SUFFIX.length()));
      schemas.put(id, RecordReader.parse(Files.readString(file), paths));
    } catch (NumberFormatException e) {
      settings.mistake(
          EventSettings.SCHEMAS_FOLDER, name + " is not named by an id, such as 17.avsc");
    } catch (IllegalArgumentException e) {
      settings.mistake(EventSettings.SCHEMAS_FOLDER, name + ": " + e.getMessage());
    } catch (IOException e) {
      settings.mistake(EventSettings.SCHEMAS_FOLDER, name + " cannot be read");
    }
  }

  /**
   * Parses the id of a schema from its file's name. A sign is refused, since the schema ids in
   * records have none.
   */
  private static int id(String digits) {
    if (!digits.matches("[0-9]+")) throw new NumberFormatException(digits);
    return Integer.parseInt(digits);
  }
}
