package io.sluice.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the manual: README.md, a page in docs or a module's README.md, as its fenced blocks.
 *
 * <ul>
 *   <li>{@code sh}: commands, which are run. What they print stands right below, as {@code text} or
 *       {@code json}, and is compared.
 *   <li>A block whose line above ends in a file's name, such as {@code `my.properties`:}, is that
 *       file. {@code properties} without a name replace keys in the last such file on the page.
 *   <li>{@code json} that is neither is events, {@code java} without a name a few statements.
 *   <li>Any other is listed in {@link DocumentationTest}, with a reason.
 * </ul>
 *
 * @param name relative to the root of the tree
 */
record ManualPage(Path root, String name, List<String> lines, List<Block> blocks) {
  private static final Pattern FENCE = Pattern.compile("```(.*)");

  /** A line that ends with the file of the block below it, such as {@code `my.properties`:}. */
  private static final Pattern CAPTION = Pattern.compile(".*`([\\w-]+\\.\\w+)`:");

  /**
   * A fenced block.
   *
   * @param line the number of its first line
   * @param file what the line above calls it; empty if it has no name
   * @param isOutput whether it stands right below a block of commands, and is what they print
   */
  record Block(
      String page, int line, String language, String file, boolean isOutput, List<String> lines) {
    boolean isNamed() {
      return !file.isEmpty();
    }

    boolean isCommands() {
      return language.equals("sh");
    }

    /** Commands that need nothing but this process, and no cluster. */
    boolean isSimulation() {
      return isCommands()
          && lines.stream().allMatch(line -> line.matches("\\./sluice (simulate|config)\\b.*"))
          && lines.stream().noneMatch(line -> line.matches(".* --(since|from) .*"));
    }

    @Override
    public String toString() {
      return page + ":" + line;
    }
  }

  /** All pages. What is in docker needs an engine, and has tests of its own. */
  static List<ManualPage> all(Path root) {
    try (Stream<Path> docs = Files.list(root.resolve("docs"));
        Stream<Path> folders = Files.list(root)) {
      Stream<Path> readmes =
          Stream.concat(Stream.of(root), folders.filter(each -> !each.endsWith("docker")))
              .map(folder -> folder.resolve("README.md"));
      return Stream.concat(readmes, docs.filter(each -> each.toString().endsWith(".md")))
          .filter(Files::isRegularFile)
          .map(each -> root.relativize(each).toString())
          .distinct()
          .sorted()
          .map(each -> read(root, each))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ManualPage read(Path root, String name) {
    try {
      List<String> lines = Files.readAllLines(root.resolve(name));
      return new ManualPage(root, name, lines, blocks(name, lines));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Block> blocks(String name, List<String> lines) {
    List<Block> blocks = new ArrayList<>();
    String above = "";
    boolean belowCommands = false;
    for (int i = 0; i < lines.size(); i++) {
      Matcher fence = FENCE.matcher(lines.get(i));
      if (fence.matches()) {
        int end = i + 1;
        while (!lines.get(end).equals("```")) end++;
        Matcher caption = CAPTION.matcher(above);
        String file = caption.matches() ? caption.group(1) : "";
        Block block =
            new Block(name, i + 2, fence.group(1), file, belowCommands, lines.subList(i + 1, end));
        blocks.add(block);
        belowCommands = block.isCommands();
        above = "";
        i = end;
      } else if (!lines.get(i).isBlank()) {
        above = lines.get(i);
        belowCommands = false;
      }
    }
    return blocks;
  }

  /** The text without its blocks, a line each. */
  List<String> prose() {
    List<String> prose = new ArrayList<>();
    boolean inBlock = false;
    for (String line : lines) {
      if (line.startsWith("```")) inBlock = !inBlock;
      else if (!inBlock) prose.add(line);
    }
    return prose;
  }

  @Override
  public String toString() {
    return name;
  }
}
