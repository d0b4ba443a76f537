package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.cli.AskCli;
import io.sluice.cli.AskCli.Said;
import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
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

/** {@code sluice ask} against a running instance. */
class AskCommandIT {
  private static final String TOKEN = "a-token-of-some-length";

  private final Servers servers = Servers.shared();

  @TempDir Path folder;

  private static Said say(String... args) {
    return new AskCli(Map.of()).run(args);
  }

  @Test
  void itShowsWhatSomebodyHasLeft() throws Exception {
    Map<String, String> settings =
        servers.settings(
            "sluice.limits=reply,sms,pair,vip",
            "sluice.limit.reply.match.action=reply",
            "sluice.limit.reply.quota=5/60s",
            "sluice.limit.reply.algorithm=sliding-window-log",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.sms.match.action=sms",
            "sluice.limit.sms.quota=1/60s",
            "sluice.limit.pair.match.action=pair",
            "sluice.limit.pair.quota=5/60s",
            "sluice.limit.pair.key=userId,target",
            "sluice.limit.vip.match.userId=eve",
            "sluice.limit.vip.quota=5/60s",
            "sluice.http.port=0",
            "sluice.http.token=" + TOKEN);
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
          .containsPattern("(?m)^limit +for +verdict +used +remaining +retry after")
          .containsPattern(
              "(?m)^reply +action=reply +allowed +3 +2 +0 ms .* 5 in 1 min +the file +redis$")
          .containsPattern("(?m)^sms +action=sms +allowed +0 +1 .* burst 1 +the file +active$")
          .doesNotContain("pair", "vip");
      assertThat(say("ask", config, at, "--for", "userId=eve").out()).contains("vip");
      assertThat(Arrays.stream(table.out().split("\n")).map(line -> line.indexOf("the file")))
          .filteredOn(place -> place > 0)
          .hasSize(2);
      assertThat(say("ask", config, at, "--for", "userId=ada", "--limit", "sms").out())
          .contains("sms")
          .doesNotContain("reply");
      assertThat(say("ask", config, at, "--for", "userId=a", "--for", "target=b").out())
          .contains("pair")
          .doesNotContain("reply");
      assertTheFileIsNotNeeded(at);
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

  /** The address of an instance and its token are enough; no file is needed. */
  private static void assertTheFileIsNotNeeded(String at) {
    AskCli knowing = new AskCli(Map.of("SLUICE_HTTP_TOKEN", TOKEN));
    assertThat(knowing.run("ask", at, "--for=userId=ada", "--json").out())
        .contains("\"limit\":\"reply\"", "\"used\":3");
    Said top = knowing.run("top", at, "--once", "--by=allowed");
    assertThat(top.code()).as(top.err()).isZero();
    assertThat(top.out()).containsPattern("(?m)^ada +reply +3 +3$");
    for (String command : List.of("ask", "top")) {
      Said refused =
          command.equals("ask") ? say("ask", at, "--for=userId=ada") : say("top", at, "--once");
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err()).contains("token").hasLineCount(1);
      assertThat(refused.out()).isEmpty();
    }
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
