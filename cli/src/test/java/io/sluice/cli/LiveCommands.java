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
 * Writes the scripts that {@code .ci/docs} runs: a folder for each page, with one step for each
 * block of commands that needs more than this process, and the expected output.
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

  /** Main method. Arguments: the root of the repository, and the folder to write to. */
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

  /** Whether the page assumes a running broker, and does not start one with {@code --embedded}. */
  private static boolean needsCluster(ManualPage page) {
    String commands =
        page.blocks().stream()
            .filter(Block::isCommands)
            .flatMap(block -> block.lines().stream())
            .collect(joining("\n"));
    return commands.contains("localhost:9092") && !commands.contains("--embedded");
  }

  /** Whether it is a block of shell commands for which {@code .ci/run} has no step of its own. */
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

  /** Replaces the well-known ports by free ones. */
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
