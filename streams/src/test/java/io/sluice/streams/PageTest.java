package io.sluice.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the code in the README with the example. {@code .ci/outside} compiles and runs the
 * example, and a project made from the README.
 */
class PageTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "streams");
  private static final Path PROPERTIES = EXAMPLE.resolve("src/main/resources/shop.properties");

  private static List<String> blocks(String language) throws IOException {
    Pattern block =
        Pattern.compile("^```" + language + "\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    String page = Files.readString(Path.of("README.md"));
    return block.matcher(page).results().map(each -> each.group(1)).toList();
  }

  @Test
  void itsJavaIsThatOfTheExample() throws IOException {
    assertThat(blocks("java"))
        .singleElement()
        .satisfies(
            whole ->
                assertThat(EXAMPLE.resolve("src/main/java/com/example/Shop.java"))
                    .hasContent(whole));
  }

  @Test
  void itsConfigurationIsThatOfTheExampleAndSound() throws IOException {
    assertThat(blocks("properties"))
        .singleElement()
        .satisfies(whole -> assertThat(PROPERTIES).hasContent(whole));
    assertThat(ConfigReport.warnings(SluiceConfig.load(PROPERTIES))).isEmpty();
  }

  @Test
  void itsDependencyIsThisModule() throws IOException {
    assertThat(blocks("xml"))
        .singleElement()
        .satisfies(
            block ->
                assertThat(Stream.of("io.sluice", "sluice-bom", "sluice-streams", "0.3.0-SNAPSHOT"))
                    .allSatisfy(each -> assertThat(block).contains(">" + each + "<")));
    assertThat(Path.of("pom.xml")).content().contains("sluice-streams", "0.3.0-SNAPSHOT");
  }
}
