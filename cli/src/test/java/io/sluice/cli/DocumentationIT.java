package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.ManualPage.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the {@code simulate} and {@code config} commands of the manual, and compares their output
 * with the page.
 */
class DocumentationIT {
  @TempDir private Path folder;

  static Stream<ManualPage> pages() {
    return DocumentationTest.pages();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void commandsPrintWhatThePageSays(ManualPage page) throws IOException {
    ManualFiles files = new ManualFiles();
    List<Block> blocks = page.blocks();
    for (int i = 0; i < blocks.size(); i++) {
      if (ManualFiles.isFile(blocks.get(i))) files.take(blocks.get(i));
      if (!blocks.get(i).isSimulation()) continue;
      Block output = blocks.get(Math.min(i + 1, blocks.size() - 1));
      assertThat(output.isOutput()).as("what %s prints is below it", blocks.get(i)).isTrue();
      assertThat(run(blocks.get(i), files))
          .as("%s", output)
          .isEqualTo(ManualCommands.masked(output.lines()));
    }
  }

  private List<String> run(Block block, ManualFiles files) throws IOException {
    for (Map.Entry<String, List<String>> file : files.byName().entrySet()) {
      Files.write(folder.resolve(file.getKey()), file.getValue());
    }
    List<String> printed = new ArrayList<>();
    for (String command : block.lines()) {
      ManualCommands.Result result = new ManualCommands(folder).run(command);
      assertThat(result.exitCode()).as("%s: %s: %s", block, command, result.printed()).isZero();
      printed.addAll(result.printed());
    }
    return ManualCommands.masked(printed);
  }
}
