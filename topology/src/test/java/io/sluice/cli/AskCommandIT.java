package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.topology.Servers;
import io.sluice.topology.Sluice;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command against a real instance. */
class AskCommandIT {
  private final Servers servers = Servers.shared();

  @TempDir Path folder;

  /** What a command says, and its exit code. */
  private record Said(int code, String out, String err) {}

  private static Said say(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        SluiceMain.commandLine(CommandLine.defaultFactory())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new Said(code, out.toString(), err.toString());
  }

  @Test
  void itShowsWhatSomebodyHasLeft() throws Exception {
    Map<String, String> settings =
        servers.settings(
            "sluice.limits=reply,sms,pair",
            "sluice.limit.reply.match.action=reply",
            "sluice.limit.reply.quota=5/60s",
            "sluice.limit.reply.algorithm=sliding-window-log",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.sms.match.action=sms",
            "sluice.limit.sms.quota=1/60s",
            "sluice.limit.pair.match.action=pair",
            "sluice.limit.pair.quota=5/60s",
            "sluice.limit.pair.key=userId,target",
            "sluice.http.port=0",
            "sluice.http.token=a-token-of-some-length");
    Path file = folder.resolve("my.properties");
    List<String> lines = new ArrayList<>();
    settings.forEach((key, value) -> lines.add(key + "=" + value.replace("\\", "\\\\")));
    Files.write(file, lines);
    try (Sluice sluice = Sluice.start(SluiceConfig.load(file))) {
      assertThat(sluice.awaitRunning()).isTrue();
      String at = "--http=" + sluice.httpAddress().orElseThrow();
      String config = "--config=" + file;
      byte[] reply = "{\"userId\":\"ada\",\"action\":\"reply\"}".getBytes(UTF_8);
      byte[] key = "ada".getBytes(UTF_8);
      servers.publish(
          settings.get("sluice.topics.input"),
          Collections.nCopies(3, key),
          Collections.nCopies(3, reply));
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(say("ask", config, at, "--for", "userId=ada", "--json").out())
                      .contains("\"limit\":\"reply\"", "\"used\":3"));

      Said table = say("ask", config, at, "--for", "userId=ada");
      assertThat(table.code()).as(table.err()).isZero();
      assertThat(table.out())
          .containsPattern("(?m)^limit +now +used +left +again in")
          .containsPattern("(?m)^reply +allowed +3 +2 +0 ms .* 5 in 1 min +the file +redis$")
          .containsPattern("(?m)^sms +allowed +0 +1 .* burst 1 +the file +active$")
          .doesNotContain("pair");
      assertThat(Arrays.stream(table.out().split("\n")).map(line -> line.indexOf("the file")))
          .filteredOn(place -> place > 0)
          .hasSize(2);
      assertThat(say("ask", config, at, "--for", "userId=ada", "--limit", "sms").out())
          .contains("sms")
          .doesNotContain("reply");
      assertThat(say("ask", config, at, "--for", "userId=a", "--for", "target=b").out())
          .contains("pair")
          .doesNotContain("reply");
      assertMistaken("target is missing", config, at, "--for=userId=a", "--limit=pair");
      assertMistaken("no such limit", config, at, "--for=userId=a", "--limit=none");
      assertMistaken("no limit counts by action", config, at, "--for=action=a");
      assertMistaken("a field and a value", config, at, "--for=userId");
      assertMistaken("sluice.http.port", config, "--for=userId=a");
      assertMistaken("a URL without a path", config, "--http=ftp://x", "--for=userId=a");
    }
    Said gone = say("ask", "--config=" + file, "--http=http://127.0.0.1:1", "--for=userId=a");
    assertThat(gone.code()).isEqualTo(1);
    assertThat(gone.err()).contains("does not answer").hasLineCount(1);
  }

  private static void assertMistaken(String why, String... options) {
    List<String> args = new ArrayList<>(List.of("ask"));
    args.addAll(List.of(options));
    Said said = say(args.toArray(String[]::new));
    assertThat(said.code()).as(said.out() + said.err()).isEqualTo(2);
    assertThat(said.err()).contains(why).hasLineCount(1);
    assertThat(said.out()).isEmpty();
  }
}
