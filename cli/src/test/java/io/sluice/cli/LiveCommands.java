package io.sluice.cli;

import static java.util.stream.Collectors.joining;

import io.sluice.cli.ManualPage.Block;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes down what {@code .ci/docs} runs: for each page a folder of steps, which are the page's
 * commands that need more than this process, and what they print.
 */
final class LiveCommands {
  private final List<String> runElsewhere;
  private final Map<String, String> ports = new LinkedHashMap<>();

  private LiveCommands(Path root) throws IOException {
    runElsewhere =
        Files.readAllLines(root.resolve(".ci/run")).stream()
            .map(line -> line.replaceFirst("^step \"[^\"]*\" ", ""))
            .toList();
  }

  /** Arguments: the root of the tree, and a folder to write to. */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    for (ManualPage page : ManualPage.all(root)) {
      new LiveCommands(root)
          .write(page, Path.of(args[1], page.name().replace('/', '-').replace(".md", "")));
    }
  }

  private void write(ManualPage page, Path folder) throws IOException {
    if (page.blocks().stream().noneMatch(this::isLive)) return;
    Files.createDirectories(folder);
    ManualFiles files = new ManualFiles();
    Path lastStep = folder;
    for (Block block : page.blocks()) {
      if (ManualFiles.isFile(block)) files.take(block);
      if (block.isOutput() && !lastStep.equals(folder)) {
        String expected = lastStep.toString().replaceFirst("sh$", "expected");
        Files.write(Path.of(expected), localised(block.lines()));
      }
      lastStep = isLive(block) ? step(block, files, folder) : folder;
    }
    if (needsCluster(page)) {
      Files.write(folder.resolve("broker"), localised(List.of("localhost:9092")));
    }
  }

  /** Whether its reader has one, and does not start one along with Sluice. */
  private static boolean needsCluster(ManualPage page) {
    String commands =
        page.blocks().stream()
            .filter(Block::isCommands)
            .flatMap(block -> block.lines().stream())
            .collect(joining("\n"));
    return commands.contains("localhost:9092") && !commands.contains("--embedded");
  }

  /** Whether it is for a shell, and {@code .ci/run} has no step of its own for it. */
  private boolean isLive(Block block) {
    return block.isCommands() && !block.isSimulation() && !runElsewhere.containsAll(block.lines());
  }

  private Path step(Block block, ManualFiles files, Path folder) throws IOException {
    List<String> script = new ArrayList<>();
    files
        .byName()
        .forEach(
            (name, lines) -> {
              script.add("cat >" + name + " <<'END_OF_FILE'");
              script.addAll(lines);
              script.add("END_OF_FILE");
            });
    script.addAll(block.lines());
    Path step = folder.resolve("%04d.sh".formatted(block.line()));
    Files.write(step, localised(script));
    return step;
  }

  /** With ports that are free here instead of those that everybody knows. */
  private List<String> localised(List<String> lines) throws IOException {
    List<String> localised = new ArrayList<>(lines);
    for (String port : List.of("9092", "6379", "8080")) {
      if (lines.stream().noneMatch(line -> line.contains("localhost:" + port))) continue;
      if (!ports.containsKey(port)) ports.put(port, freePort());
      localised.replaceAll(
          line -> line.replace("localhost:" + port, "localhost:" + ports.get(port)));
    }
    return localised;
  }

  private static String freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return Integer.toString(socket.getLocalPort());
    }
  }
}
