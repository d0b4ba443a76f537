package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sluice.cli.AskCli;
import io.sluice.testing.SettingLines;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@code sluice cancel} with instances that do not tell how many events match. */
class CancelCommandTest {
  @TempDir private Path folder;

  private AskCli.Said cancel(String... options) throws Exception {
    List<String> lines = new ArrayList<>();
    SettingLines.kafka("sluice.limits=phone", "sluice.limit.phone.quota=1/60s")
        .forEach((key, value) -> lines.add(key + "=" + value));
    Path file = Files.write(folder.resolve("my.properties"), lines);
    List<String> all =
        new ArrayList<>(List.of("cancel", "--config", file.toString(), "--for", "userId=ada"));
    all.addAll(List.of(options));
    return new AskCli(Map.of()).run(all.toArray(String[]::new));
  }

  private AskCli.Said cancelAt(int status, String error, String... options) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = ("{\"error\":\"" + error + "\"}").getBytes(UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      List<String> all = new ArrayList<>(List.of(options));
      all.addAll(List.of("--http", "http://127.0.0.1:" + server.getAddress().getPort()));
      return cancel(all.toArray(String[]::new));
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void withoutTheRightToReadNothingIsPublished(int status) throws Exception {
    AskCli.Said said = cancelAt(status, "send the token");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("send the token", "nothing is cancelled");
    assertThat(said.out()).isEmpty();
  }

  @Test
  void anUnknownLimitIsAMistake() throws Exception {
    AskCli.Said said = cancelAt(404, "no such limit; known limits: phone", "--limit=none");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("no such limit", "nothing is cancelled");
  }

  @Test
  void anInstanceOfAnOlderReleaseIsLikeOneThatDoesNotAnswer() throws Exception {
    AskCli.Said said = cancelAt(404, "unknown path; /api/openapi.json describes it", "--dry-run");
    assertThat(said.code()).isZero();
    assertThat(said.err()).contains("warning: ", "unknown path");
    assertThat(said.out()).contains("it is unknown how many waiting events match", "dry run");
  }

  @Test
  void withoutAnAddressTheOptionIsNamed() throws Exception {
    assertThat(cancel("--dry-run").out())
        .contains("the file has no sluice.http.port", "it is unknown", "--http")
        .doesNotContain("no instance has answered");
  }
}
