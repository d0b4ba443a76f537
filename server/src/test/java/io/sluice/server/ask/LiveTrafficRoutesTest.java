package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.server.web.JsonText;
import io.sluice.server.web.Route;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.watch.Top;
import io.sluice.topology.watch.Top.Heavy;
import io.sluice.topology.watch.Watch;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the reports on top keys, and of their sums over instances. */
class LiveTrafficRoutesTest {
  private static final SluiceConfig CONFIG = SluiceConfig.example(Map.of());
  private static final Report OWN =
      new Report(
          "rejected",
          1,
          List.of(
              limit("reply", List.of("userId"), new Heavy("ada", 10, 12), new Heavy("<b>", 1, 1)),
              limit("pair", List.of("userId", "target"), new Heavy("a\\|b|c\n\u0000", 5, 5))),
          List.of("here:1"),
          List.of(new Unanswered("there:2", "it is \"gone\"")));

  private static Report.OfLimit limit(String name, List<String> fields, Heavy... keys) {
    return Report.OfLimit.of(name, false, fields)
        .with(true, new Top(List.of(keys), 2, 30, 300_000));
  }

  private static OtherInstances others(String... addresses) {
    return new OtherInstances("", new InstanceClient(CONFIG.http()), () -> List.of(addresses));
  }

  private static TopRoute route(OtherInstances others) {
    LimitsInForce limits = LimitsInForce.of(CONFIG.limitsConfig());
    Watch watch = new Instruments(CONFIG.limits()).watch();
    return new TopRoute(watch, () -> limits, others, InstantSource.system());
  }

  private static Report read(String text) {
    return JsonText.read(text, Report.class);
  }

  @Test
  void aReportIsTheSameWhereItArrives() {
    assertThat(read(JsonText.of(OWN))).isEqualTo(OWN);
    assertThat(JsonText.of(OWN))
        .contains("\"fields\":{\"userId\":\"a|b\",\"target\":\"c\\n\\u0000\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "hello",
        "{",
        "{}",
        "{\"by\":7}",
        "{\"by\":\"rejected\",\"limits\":{}}",
        "{\"by\":\"rejected\",\"limits\":[7]}",
        "{\"by\":\"rejected\",\"limits\":[{\"events\":-1}]}",
        "{\"by\":\"rejected\",\"limits\":[{\"events\":9e99}]}",
        "{\"by\":\"rejected\",\"limits\":[{\"keys\":[{\"atMost\":9223372036854775807}]}]}",
        "{\"by\":\"rejected\",\"limits\":[{\"shadow\":1}]}"
      })
  void whatIsNoReportIsRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it does not answer as Sluice does");
  }

  @Test
  void whatANewerInstanceAddsIsSkipped() {
    String text =
        "{\"new\":{\"x\":[1]},\"by\":\"rejected\",\"limits\":[{\"limit\":\"a\",\"new\":[{}],"
            + "\"keys\":[{\"key\":\"ada\",\"atLeast\":1,\"atMost\":2,\"new\":{}}]}]}";
    assertThat(read(text).limits().get(0).top().keys()).containsExactly(new Heavy("ada", 1, 2));
  }

  @Test
  void instancesAreAddedUpAndThoseThatDoNotAnswerAreNamed() throws Exception {
    Report there =
        new Report(
            "rejected",
            1,
            List.of(
                limit("reply", List.of("userId"), new Heavy("ada", 3, 3)),
                limit("unknown", List.of("userId"), new Heavy("ada", 3, 3))),
            List.of(),
            List.of());
    try (Peer well = new Peer(200, JsonText.of(there));
        Peer odd = new Peer(200, "hello");
        Peer old = new Peer(404, "{}");
        ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      String mute = "127.0.0.1:" + silent.getLocalPort();
      Report all =
          route(others(well.at(), odd.at(), old.at(), mute, "127.0.0.1:1", "no address"))
              .with(OWN, Map.of("limit", "reply"));
      assertThat(all.limits()).extracting(Report.OfLimit::limit).containsExactly("reply", "pair");
      assertThat(all.limits().get(0).top())
          .isEqualTo(
              new Top(List.of(new Heavy("ada", 13, 15), new Heavy("<b>", 1, 3)), 4, 60, 300_000));
      assertThat(all.answered()).containsExactly("this one", well.at());
      assertThat(all.unanswered())
          .contains(
              new Unanswered(odd.at(), "it does not answer as Sluice does"),
              new Unanswered(old.at(), "it answers with status 404"))
          .extracting(Unanswered::instance)
          .containsExactlyInAnyOrder(odd.at(), old.at(), mute, "127.0.0.1:1", "no address");
      assertThat(well.asked).isEqualTo("/api/top?by=rejected&limit=reply&local=true");
    }
  }

  @Test
  void anInstanceThatSaysTheSameAgainAndAgainMakesNoSumNegative() throws Exception {
    long most = 1L << 50;
    String limit =
        "{\"limit\":\"reply\",\"events\":%d,\"othersAtMost\":%d,\"keys\":[%s]}"
            .formatted(
                most, most, "{\"key\":\"ada\",\"atLeast\":%d,\"atMost\":%d}".formatted(most, most));
    String all = String.join(",", Collections.nCopies(9_000, limit));
    try (Peer odd = new Peer(200, "{\"by\":\"rejected\",\"limits\":[" + all + "]}")) {
      Top top = route(others(odd.at())).with(OWN, Map.of()).limits().get(0).top();
      assertThat(top.events()).isEqualTo(Long.MAX_VALUE);
      assertThat(top.othersAtMost()).isEqualTo(Long.MAX_VALUE);
      assertThat(top.keys().get(0)).isEqualTo(new Heavy("ada", Long.MAX_VALUE, Long.MAX_VALUE));
    }
  }

  /** HTTP server that answers as another instance might. */
  private static final class Peer implements AutoCloseable {
    private final HttpServer server;
    private volatile String asked = "";

    Peer(int status, String text) throws Exception {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            asked = exchange.getRequestURI().toString();
            exchange.sendResponseHeaders(status, 0);
            exchange.getResponseBody().write(text.getBytes(UTF_8));
            exchange.close();
          });
      server.start();
    }

    String at() {
      return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limit | zz       | 404 | no such limit is in force; limits in force: reply, post, page
          by    | Rejected | 400 | by must be one of allowed, rejected, delayed
          by    | ''       | 400 | by must be one of allowed, rejected, delayed
          local | yes      | 400 | local must be true or false
          user  | ada      | 400 | unknown parameter; accepted are limit, by and local
          """)
  void aRequestThatIsNotUnderstoodIsToldWhatIsAccepted(
      String name, String value, int status, String line) throws Exception {
    Route.Reply reply =
        route(others()).reply(new Route.Request("GET", List.of(), Map.of(name, value), ""));
    assertThat(reply).isEqualTo(Route.Reply.problem(status, line));
  }
}
