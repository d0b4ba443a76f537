package io.sluice.cli;

import io.sluice.cli.ManualPage.Block;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files that a page tells its reader to write, in their state after the blocks so far. A block of
 * properties without a name changes the last named one: it replaces existing keys and adds others.
 */
final class ManualFiles {
  private final Map<String, List<String>> files = new LinkedHashMap<>();
  private String lastProperties = "";

  /** Whether the block is a file or changes one. */
  static boolean isFile(Block block) {
    return !block.isOutput() && (block.isNamed() || block.language().equals("properties"));
  }

  /** Applies a block, and returns the name of its file. */
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

  /** Returns the lines of all files, by name. */
  Map<String, List<String>> byName() {
    return files;
  }
}
