package io.sluice.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.StartException;
import io.sluice.runtime.monitoring.Health;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.testing.Scrape;
import io.sluice.topology.config.SluiceConfig;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.KafkaStreams.State;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebServerTest {
  private final SluiceConfig config = Served.config(Map.of());
  private final Monitoring monitoring = Monitoring.open(config, List.of());
  private final Health health = monitoring.health();
  private final WebServer endpoint = WebServer.open(config.http(), monitoring);

  @AfterEach
  void close() {
    endpoint.close();
    monitoring.close();
  }

  private String get(String path) throws Exception {
    HttpResponse<String> response = Scrape.get(endpoint.address(), path);
    return response.statusCode() + " " + response.body();
  }

  @Test
  void metricsAreInPrometheusTextFormat() throws Exception {
    HttpResponse<String> response = Scrape.get(endpoint.address(), "/metrics");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
    assertThat(response.body())
        .contains("# TYPE sluice_events_total counter\nsluice_events_total{");
  }

  @Test
  void itIsLiveUntilItHasEndedAndReadyOnlyWhileItRuns() throws Exception {
    Map<State, String> answers =
        Map.of(
            State.CREATED, "200 live, 503 starting",
            State.REBALANCING,
                "200 live, 503 rebalancing: partitions are being assigned or state is restored",
            State.RUNNING, "200 live, 200 ready",
            State.PENDING_SHUTDOWN, "200 live, 503 ending",
            State.NOT_RUNNING, "503 ended, 503 ended",
            State.PENDING_ERROR, "503 failed; the log says why, 503 failed; the log says why",
            State.ERROR, "503 failed; the log says why, 503 failed; the log says why");
    for (State state : State.values()) {
      health.changed(state);
      String answer = get("/health/live").trim() + ", " + get("/health/ready").trim();
      assertThat(answer).as(state.name()).isEqualTo(answers.get(state));
    }
  }

  @Test
  void itStartsLiveAndNotReady() throws Exception {
    assertThat(get("/health/live")).isEqualTo("200 live\n");
    assertThat(get("/health/ready")).isEqualTo("503 starting\n");
  }

  @Test
  void whatElseIsAskedForIsNotThere() throws Exception {
    for (String path : new String[] {"/metrics/", "/metricsx", "/health"}) {
      assertThat(get(path)).startsWith("404 ").contains("/metrics", "/health/ready");
    }
  }

  @Test
  void itIsOnlyForReading() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest.Builder metrics = HttpRequest.newBuilder(endpoint.address().resolve("/metrics"));
    HttpResponse<String> posted =
        client.send(
            metrics.POST(BodyPublishers.ofString("x")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(posted.statusCode()).isEqualTo(405);
    HttpResponse<String> head =
        client.send(
            metrics.method("HEAD", BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @Test
  void aClientThatStallsKeepsNobodyElseWaiting() throws Exception {
    URI address = endpoint.address();
    try (Socket one = new Socket(address.getHost(), address.getPort());
        Socket other = new Socket(address.getHost(), address.getPort())) {
      for (Socket stalled : new Socket[] {one, other}) {
        stalled.getOutputStream().write("GET /metrics HT".getBytes());
        stalled.getOutputStream().flush();
      }
      assertThat(get("/health/live")).startsWith("200");
    }
  }

  @Test
  void aPortInUseAndAHostThatIsNotHereAreSaidInOneLine() {
    int taken = endpoint.address().getPort();
    assertThatThrownBy(() -> open("sluice.http.port", "" + taken))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("127.0.0.1:" + taken)
        .hasMessageContaining("sluice.http.port")
        .message()
        .hasLineCount(1);
    assertThatThrownBy(() -> open("sluice.http.host", "192.0.2.1"))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("192.0.2.1")
        .hasMessageContaining("sluice.http.host");
  }

  private WebServer open(String key, String value) {
    return WebServer.open(Served.config(Map.of(key, value)).http(), monitoring);
  }

  @Test
  void closedItLetsGoOfThePort() {
    URI address = endpoint.address();
    endpoint.close();
    assertThatThrownBy(() -> Scrape.get(address, "/metrics")).isInstanceOf(ConnectException.class);
    open("sluice.http.port", "" + address.getPort()).close();
  }
}
