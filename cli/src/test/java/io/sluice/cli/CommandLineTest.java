package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CommandLineTest {
  private static final String FIVE_MISTAKES =
      """
      bootstrap.servers=localhost:9092
      application.id=sluice
      sluice.limits=reply,post,reply
      sluice.limit.reply.quota=5/fortnight
      sluice.limit.post.quota=0/60s
      sluice.limit.post.algorithm=leaky
      sluice.limts=reply
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    CommandLine sluice = SluiceMain.commandLine(CommandLine.defaultFactory());
    sluice.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return sluice.execute(args);
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("sluice.properties"), text).toString();
  }

  @Test
  void fiveMistakesAreFiveLinesAndExitCodeTwo() throws IOException {
    for (String[] command : new String[][] {{"config", "--check"}, {"run", "--config"}}) {
      err.getBuffer().setLength(0);
      assertThat(run(command[0], command[1], file(FIVE_MISTAKES))).isEqualTo(2);
      assertThat(err.toString().lines())
          .hasSize(5)
          .anyMatch(
              line -> line.contains("sluice.limit.reply.quota") && line.contains("5/fortnight"))
          .anyMatch(line -> line.contains("did you mean sluice.limits"));
    }
  }

  @Test
  void anEmptyFileHasAllItsMistakesAtOnce() throws IOException {
    for (String[] command : new String[][] {{"config", "--check"}, {"run", "--config"}}) {
      err.getBuffer().setLength(0);
      assertThat(run(command[0], command[1], file(""))).isEqualTo(2);
      assertThat(err.toString().lines())
          .satisfiesExactly(
              line -> assertThat(line).startsWith("application.id: missing"),
              line -> assertThat(line).startsWith("bootstrap.servers: missing"));
    }
  }

  /** No limit counts in Redis, so no Redis is started, though the configured port is taken. */
  @Test
  void embeddedStartsWhatIsNeededAndNamesTheNextStepIfAPortIsTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      String config =
          """
          application.id=sluice
          sluice.limits=reply
          sluice.limit.reply.quota=5/60s
          bootstrap.servers=localhost:%1$d
          sluice.redis.uri=redis://:secret@localhost:%1$d
          """
              .formatted(port);
      assertThat(run("run", "--embedded", "--config", file(config))).isEqualTo(1);
      assertThat(err.toString().lines().filter(line -> !line.startsWith("warning:")))
          .satisfiesExactly(
              line -> assertThat(line).isEqualTo("Starting Kafka on port " + port + " ..."),
              line ->
                  assertThat(line)
                      .contains("could not listen on 127.0.0.1:" + port)
                      .contains("set another port in bootstrap.servers", "without --embedded"));
      err.getBuffer().setLength(0);
      String onRedis = config + "sluice.limit.reply.backend=redis\n";
      assertThat(run("run", "--embedded", "--config", file(onRedis))).isEqualTo(1);
      assertThat(err.toString())
          .startsWith("Starting Redis on port " + port)
          .contains("set another port in sluice.redis.uri")
          .doesNotContain("secret");
      err.getBuffer().setLength(0);
      String elsewhere = onRedis.replace("@localhost", "@example.org");
      assertThat(run("run", "--embedded", "--config", file(elsewhere))).isEqualTo(1);
      assertThat(err.toString()).contains("names example.org").doesNotContain("secret");
    }
  }

  @Test
  void helpNamesWhatOnlyTheLauncherKnows() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("simulate", "./sluice bench");
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString())
        .matches(
            "sluice \\d+\\.\\d+\\.\\d+(-SNAPSHOT)? \\(commit"
                + " ([0-9a-f]{12}(-dirty)?|unknown)\\)\\s*");
  }

  @Test
  void aFileThatIsNotThereIsOneLineAndExitCodeTwo() {
    assertThat(run("config", "--check", folder.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
  }

  @Test
  void misuseIsOneLineAndExitCodeTwo() {
    for (String[] args : new String[][] {{}, {"rnu"}, {"run"}, {"config", "--chek", "x"}}) {
      err.getBuffer().setLength(0);
      assertThat(run(args)).isEqualTo(2);
      assertThat(err.toString().lines()).hasSize(1).allMatch(line -> line.contains("--help"));
    }
  }

  @Test
  void aFileWithoutItsOptionAndATypoHaveAHint() throws IOException {
    String file = file("");
    assertHint("--config " + file, "run", file);
    assertHint("--config " + file, "run", "--embedded", file);
    assertHint("--config " + file, "simulate", file, "--since=1h");
    assertHint("--config " + file, "limits", file);
    assertHint("--config " + file, "ask", file, "--for=userId=ada");
    assertHint("--check " + file, "config", file);
    assertHint("simulate", "simulat");
    assertHint("history", "limits", "hsitory", "--config=" + file);
    assertHint("--check", "config", "--chek=" + file);
  }

  private void assertHint(String meant, String... args) {
    err.getBuffer().setLength(0);
    assertThat(run(args)).isEqualTo(2);
    assertThat(err.toString().lines())
        .singleElement()
        .asString()
        .contains("; did you mean '" + meant + "'?; see 'sluice");
  }

  @Test
  void whoAsksSaysWhomAndMayNameOnlyTheInstance() {
    for (String[] args : new String[][] {{"ask", "--for=userId=ada"}, {"top"}}) {
      err.getBuffer().setLength(0);
      assertThat(run(args)).isEqualTo(2);
      assertThat(err.toString().lines()).hasSize(1);
      assertThat(err.toString()).contains("--config", "--http", "--help");
    }
    assertThat(run("top", "--http=http://localhost:1/path")).isEqualTo(2);
    assertThat(run("top", "--http=http://127.0.0.1:1", "--once")).isEqualTo(1);
    assertThat(err.toString()).contains("does not answer");
  }

  @Test
  void theLastEventsNeedTheFileAndMoreThanNothing() throws IOException {
    String config =
        "--config=" + file("bootstrap.servers=localhost:1\napplication.id=a\nsluice.limits=");
    String at = "--http=http://127.0.0.1:1";
    String ada = "--for=userId=ada";
    assertMistaken("needs --config", at, ada, "--last=1h");
    assertMistaken("--last", config, at, ada, "--last=soon");
    assertMistaken("--last", config, at, ada, "--last=0s");
    assertMistaken("--most", config, at, ada, "--last=1h", "--most=0");
    assertMistaken("--most", config, at, ada, "--last=1h", "--most=10001");
    assertMistaken("--keyed only applies with --last", config, at, ada, "--keyed");
    assertMistaken("one --for", config, at, ada, "--for=target=b", "--last=1h", "--keyed");
    assertMistaken("a field is", config, at, "--for=user=ada", "--last=1h");
  }

  private void assertMistaken(String why, String... options) {
    List<String> args = new ArrayList<>(List.of("ask"));
    args.addAll(List.of(options));
    err.getBuffer().setLength(0);
    assertThat(run(args.toArray(String[]::new))).as(err.toString()).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().contains(why);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aTokenThatIsNoneIsNamedByItsVariableAndNotRepeated() {
    AskCli cli = new AskCli(Map.of("SLUICE_HTTP_TOKEN", "secret", "SLUICE_LIMTS", "other"));
    AskCli.Said said = cli.run("ask", "--http=http://127.0.0.1:1", "--for=userId=ada");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err())
        .startsWith("SLUICE_HTTP_TOKEN: 16 to 512")
        .hasLineCount(1)
        .doesNotContain("secret");
  }

  @Test
  void aPortForMetricsThatIsTakenIsOneLineAndExitCodeOneBeforeAnythingStarts() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String config =
          "bootstrap.servers=localhost:1\napplication.id=sluice\nsluice.limits=\nsluice.http.port=";
      assertThat(run("run", "--config", file(config + taken.getLocalPort()))).isEqualTo(1);
      assertThat(err.toString().lines().filter(line -> !line.startsWith("warning:")))
          .singleElement()
          .asString()
          .startsWith("cannot serve HTTP on 127.0.0.1:" + taken.getLocalPort());
    }
  }

  @Test
  void configPrintsEveryKey() {
    assertThat(run("config")).isZero();
    assertThat(out.toString())
        .contains("sluice.limit.N.quota", "sluice.topics.dead-letter", "exactly_once_v2");
  }

  @Test
  void theManualsReferenceIsWhatTheCodeSays() throws IOException {
    run("config", "--markdown");
    String manual = Files.readString(Path.of("..", "docs", "configuration.md"));
    assertThat(manual)
        .as("docs/configuration.md; its tables are what ./sluice config --markdown prints")
        .endsWith(out.toString());
  }
}
