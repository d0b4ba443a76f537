package io.sluice.topology;

import static java.util.stream.Collectors.toMap;

import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.RecordReader;
import io.sluice.schemas.Role;
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

/** Reads how events are read, and refuses what cannot be together. */
final class EventReader {
  private static final String SUFFIX = ".avsc";

  private final GivenSettings settings;

  EventReader(GivenSettings settings) {
    this.settings = settings;
  }

  /** The paths; a given one that overlaps another is a mistake. */
  FieldPaths paths() {
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

  /** Where schemas come from, those in a folder already read by these paths. */
  SchemaConfig schemas(FieldPaths paths) {
    boolean registry = settings.has(EventSettings.SCHEMAS_URL);
    boolean folder = settings.has(EventSettings.SCHEMAS_FOLDER);
    boolean user = settings.has(EventSettings.SCHEMAS_USER);
    boolean password = settings.has(EventSettings.SCHEMAS_PASSWORD);
    requireUrl(EventSettings.SCHEMAS_USER, registry);
    requireUrl(EventSettings.SCHEMAS_PASSWORD, registry);
    if (user && !password) {
      settings.missing(EventSettings.SCHEMAS_PASSWORD, "there is a " + SluiceConfig.SCHEMAS_USER);
    }
    if (password && !user) {
      settings.missing(EventSettings.SCHEMAS_USER, "there is a " + SluiceConfig.SCHEMAS_PASSWORD);
    }
    if (registry && folder) {
      settings.mistake(
          EventSettings.SCHEMAS_FOLDER, "there is " + SluiceConfig.SCHEMAS_URL + "; one is enough");
    }
    return new SchemaConfig(
        settings
            .find(EventSettings.SCHEMAS_FOLDER)
            .map(text -> files(text, paths))
            .orElse(Map.of()),
        settings.find(EventSettings.SCHEMAS_FOLDER).orElse(""),
        settings.find(EventSettings.SCHEMAS_URL).orElse(""),
        settings.find(EventSettings.SCHEMAS_USER).orElse(""),
        settings.find(EventSettings.SCHEMAS_PASSWORD).orElse(""));
  }

  private void requireUrl(Setting<?> setting, boolean registry) {
    if (settings.has(setting) && !registry) {
      settings.mistake(setting, "means something with " + SluiceConfig.SCHEMAS_URL + " only");
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
      int id = Integer.parseInt(name.substring(0, name.length() - SUFFIX.length()));
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
}
