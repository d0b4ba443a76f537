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
 * Page of the manual: README.md, a page in docs or a module's README.md, parsed into fenced blocks.
 *
 * <ul>
 *   <li>{@code sh}: commands, which are run. A {@code text} or {@code json} block directly below is
 *       their expected output.
 *   <li>A block whose preceding line ends in a file's name, such as {@code `my.properties`:}, is
 *       that file. {@code properties} without a name replace keys in the last such file on the
 *       page.
 *   <li>Other {@code json} blocks are events; {@code java} without a name is a few statements.
 *   <li>All other blocks are listed in {@link DocumentationTest}, with a reason.
 * </ul>
 *
 * @param name relative to the root of the repository
 */
record ManualPage(Path root, String name, List<String> lines, List<Block> blocks) {
  private static final Pattern FENCE = Pattern.compile("```(.*)");

  /** Line that ends in the file name of the block below it, such as {@code `my.properties`:}. */
  private static final Pattern CAPTION = Pattern.compile(".*`([\\w-]+\\.\\w+)`:");

  /**
   * Fenced block.
   *
   * @param line number of its first line
   * @param file name given in the line above; empty if there is none
   * @param isOutput whether it is directly below a block of commands, and shows their output
   */
  record Block(
      String page, int line, String language, String file, boolean isOutput, List<String> lines) {
    boolean isNamed() {
      return !file.isEmpty();
    }

    boolean isCommands() {
      return language.equals("sh");
    }

    /** Whether the commands run in this process and need no cluster. */
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

  /** Reads all pages, except those of docker, which needs an engine and has its own tests. */
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

  /** Returns the lines outside of blocks. */
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
