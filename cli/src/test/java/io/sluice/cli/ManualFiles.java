package io.sluice.cli;

import io.sluice.cli.ManualPage.Block;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that a page has its reader write, as they are after the blocks so far. A block of
 * properties without a name changes the last one that has one: a key that is there is replaced, any
 * other added.
 */
final class ManualFiles {
  private final Map<String, List<String>> files = new LinkedHashMap<>();
  private String lastProperties = "";

  /** Whether the block is a file or changes one. */
  static boolean isFile(Block block) {
    return !block.isOutput() && (block.isNamed() || block.language().equals("properties"));
  }

  /** Takes a block; returns the name of the file that it is about. */
  String take(Block block) {
    boolean properties = block.language().equals("properties");
    if (properties && block.isNamed()) lastProperties = block.file();
    if (block.isNamed()) {
      files.put(block.file(), block.lines());
      return block.file();
    }
    List<String> changed = files.get(lastProperties);
    if (changed == null) {
      throw new AssertionError(
          block + ": name the file in the line above, such as `my.properties`:");
    }
    files.put(lastProperties, changed(changed, block.lines()));
    return lastProperties;
  }

  private static List<String> changed(List<String> before, List<String> changes) {
    List<String> keys = changes.stream().map(ManualFiles::key).toList();
    List<String> after = new ArrayList<>(before);
    after.removeIf(line -> isSetting(line) && keys.contains(key(line)));
    after.addAll(changes);
    return after;
  }

  private static boolean isSetting(String line) {
    return !line.isBlank() && !line.startsWith("#");
  }

  private static String key(String line) {
    return line.split("=", 2)[0];
  }

  /** All files by name, a list of lines each. */
  Map<String, List<String>> byName() {
    return files;
  }
}
