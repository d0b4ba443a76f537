package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.rules.settings.ConfigurationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PropertiesFileTest {
  private static final String SOUND =
      "bootstrap.servers=localhost:9092\napplication.id=sluice\n"
          + "sluice.limits=reply\nsluice.limit.reply.quota=5/60s\n";

  @TempDir private Path directory;

  @Test
  void aFileIsReadAsUtf8() throws IOException {
    Path file = file(SOUND + "sluice.limit.reply.match.action=r\u00e9ponse\n");

    assertThat(SluiceConfig.load(file).limits().all().get(0).match())
        .hasToString("action=r\u00e9ponse");
  }

  @Test
  void aCommaInAValueIsEscapedOnceForTheFileAndOnceForTheList() throws IOException {
    Path file = file(SOUND + "sluice.limit.reply.match.target=a\\\\,b,c\n");

    assertThat(
            SluiceConfig.load(file)
                .limits()
                .all()
                .get(0)
                .match()
                .clauses()
                .get(0)
                .accepted()
                .exact())
        .containsExactly("a,b", "c");
  }

  @Test
  void aByteOrderMarkIsNoPartOfAKey() throws IOException {
    assertThat(SluiceConfig.load(file("\uFEFF" + SOUND)).streams())
        .containsKey("bootstrap.servers");
  }

  @Test
  void fiveMistakesAreReportedAtOnceInTheOrderOfTheFile() throws IOException {
    Path file =
        file(
            """
            bootstrap.servers=localhost:9092
            sluice.unmatched=drop
            # comments and blank lines do not count

            sluice.limit.reply.burst=0
            sluice.limit.reply.quota=5/fortnight
            application.id=sluice
            sluice.limits=reply
            sluice.tiem=wall
            sluice.topics.allowed=user-actions
            """);

    assertThat(mistakes(file))
        .containsExactly(
            "sluice.unmatched=drop: accepted are allow, reject",
            "sluice.limit.reply.burst=0: burst must be 1 to 2147483648",
            "sluice.limit.reply.quota=5/fortnight: a quota's period is 500ms, 60s, 10m, 1h, 1d,"
                + " ISO-8601 such as PT1M, or hour, day, week, month or year",
            "sluice.tiem: unknown; did you mean sluice.time?",
            "sluice.topics.allowed=user-actions: each role needs its own topic, and this is also"
                + " sluice.topics.input");
  }

  @Test
  void aKeyIsGivenOnce() throws IOException {
    assertThat(mistakes(file(SOUND + "sluice.limit.reply.quota=6/60s\n")))
        .containsExactly("sluice.limit.reply.quota: given more than once");
  }

  @Test
  void aMissingFileIsOneLine() {
    Path file = directory.resolve("none.properties");

    assertThat(mistakes(file)).containsExactly(file + ": no such file");
  }

  @Test
  void aDirectoryIsOneLine() {
    assertThat(mistakes(directory))
        .singleElement()
        .asString()
        .startsWith(directory + ": cannot be read: ");
  }

  @Test
  void anEscapeThatIsNoneIsOneLine() throws IOException {
    Path file = file("sluice.limits=\\u00XX\n");

    assertThat(mistakes(file)).containsExactly(file + ": Malformed \\uxxxx encoding.");
  }

  @Test
  void anotherEncodingIsOneLine() throws IOException {
    Path file = directory.resolve("sluice.properties");
    Files.write(file, "sluice.limits=r\u00e9ponse".getBytes(StandardCharsets.ISO_8859_1));

    assertThat(mistakes(file)).containsExactly(file + ": not UTF-8");
  }

  private Path file(String content) throws IOException {
    return Files.writeString(directory.resolve("sluice.properties"), content);
  }

  private static List<String> mistakes(Path file) {
    return assertThrows(ConfigurationException.class, () -> SluiceConfig.load(file)).mistakes();
  }
}
