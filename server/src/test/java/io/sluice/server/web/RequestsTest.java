package io.sluice.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.web.Route.Listener;
import io.sluice.server.web.Route.Reply;
import io.sluice.server.web.Route.Request;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of valid and invalid requests. */
@Tag("slow") // waits until connections are closed
class RequestsTest {
  private record Calling(String path, Function<Request, Reply> replies) implements Route {
    @Override
    public Reply reply(Request request) {
      return replies.apply(request);
    }
  }

  private static Route echo() {
    return new Calling(
        "/api/echo", asked -> Reply.problem(200, asked.below() + " " + asked.parameters()));
  }

  private static String ask(Served served, String path) throws Exception {
    return served.ask("GET " + path, "Host: " + served.host());
  }

  @Test
  void aPathAndAQueryAreDecodedAndAreOnlyData() throws Exception {
    try (Served served = new Served(Map.of(), echo())) {
      assertThat(ask(served, "/api/echo/a+b/%C3%A9?x=%22%3C%0A&y=%F0%9F%98%80&z=1+2"))
          .contains("[a+b, é] {x=\\\"<\\n, y=😀, z=1 2}");
      assertThat(ask(served, "/api/echo?" + "u=" + "x".repeat(8_000)))
          .contains("u=" + "x".repeat(8_000));
    }
  }

  @Test
  void aPartOfAPathMayHaveAnyCharacterEncoded() throws Exception {
    try (Served served = new Served(Map.of(), echo())) {
      assertThat(ask(served, "/api/echo/a%2Fb%25%5C%3F%23%3B/%2E%2E/%2e/c"))
          .startsWith("HTTP/1.1 200")
          .contains("[a/b%\\\\?#;, .., ., c]");
      for (String path : List.of("/api/%2E%2E/metrics", "/%2E%2E/pom.xml", "/page%2Fmain.js")) {
        assertThat(ask(served, path)).as(path).startsWith("HTTP/1.1 40").doesNotContain("TYPE");
      }
    }
  }

  @Test
  void whatIsNoRequestIsSaidToBeNone() throws Exception {
    try (Served served = new Served(Map.of(), echo())) {
      assertThat(ask(served, "/api/echo?a=1&a=2")).startsWith("HTTP/1.1 400").contains("once");
      assertThat(ask(served, "/api/echo?a=%FF")).startsWith("HTTP/1.1 400").contains("UTF-8");
      assertThat(ask(served, "/api/echo?a=%zz")).startsWith("HTTP/1.1 400");
      assertThat(ask(served, "/api/echo?" + "x".repeat(20_000))).startsWith("HTTP/1.1 4");
      assertThat(ask(served, "/../metrics")).startsWith("HTTP/1.1 400").doesNotContain("TYPE");
      assertThat(ask(served, "/api/other")).startsWith("HTTP/1.1 404").contains("{\"error\":");
      assertThat(ask(served, "/api/echoes")).startsWith("HTTP/1.1 404");
      assertThat(served.ask("GET /api/echo", "Host: " + served.host(), "X: " + "x".repeat(20_000)))
          .startsWith("HTTP/1.1 4");
    }
  }

  @Test
  void ofTwoRoutesThatFitTheLongerIsAsked() throws Exception {
    Route all = new Calling("/api", asked -> Reply.problem(200, "all" + asked.below()));
    try (Served served = new Served(Map.of(), all, echo())) {
      assertThat(ask(served, "/api/echo/x")).contains("[x]").doesNotContain("all");
      assertThat(ask(served, "/api/echoes/x")).contains("all[echoes, x]");
    }
  }

  @Test
  void aRouteThatFailsTellsNothingOfWhy() throws Exception {
    Route failing =
        new Calling(
            "/api/fail",
            asked -> {
              throw new IllegalStateException("s3cret");
            });
    try (Served served = new Served(Map.of(), failing)) {
      assertThat(ask(served, "/api/fail")).startsWith("HTTP/1.1 500").doesNotContain("s3cret");
    }
  }

  @Test
  void aBodyIsBounded() throws Exception {
    Route length = new Calling("/api/x", asked -> Reply.json("" + asked.body().length()));
    try (Served served = new Served(Map.of("sluice.http.write", "true"), length)) {
      String host = "Host: " + served.host();
      assertThat(served.send("PUT /api/x", "x".repeat(65_536), host)).endsWith("\r\n\r\n65536");
      assertThat(served.send("PUT /api/x", "x".repeat(65_537), host)).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void routesThatWaitKeepHealthFromNobodyAndAreBounded() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Route slow =
        new Calling(
            "/api/slow",
            asked -> {
              try {
                release.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return Reply.json("{}");
            });
    List<Socket> waiting = new ArrayList<>();
    try (Served served = new Served(Map.of(), slow)) {
      for (int i = 0; i < 100; i++) waiting.add(asking(served, "/api/slow"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> ask(served, "/api/slow"), answer -> answer.startsWith("HTTP/1.1 503"));
      assertThat(ask(served, "/health/live")).startsWith("HTTP/1.1 200");
      release.countDown();
    } finally {
      for (Socket each : waiting) each.close();
    }
  }

  @Test
  void idleConnectionsDoNotKeepAHealthProbeOut() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try (Served served = new Served(Map.of(), echo())) {
      for (int i = 0; i < 600; i++) {
        Socket socket = asking(served, "/api/echo");
        idle.add(socket);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      assertThat(ask(served, "/health/live")).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket each : idle) each.close();
    }
  }

  @Test
  void headOfAStreamIsNotAListener() throws Exception {
    BlockingQueue<Listener> listeners = new LinkedBlockingQueue<>();
    Route events = new Calling("/api/stream", asked -> Reply.events(listeners::add));
    List<Socket> sockets = new ArrayList<>();
    try (Served served = new Served(Map.of(), events)) {
      for (int i = 0; i < 65; i++) {
        Socket socket = request("HEAD", served, "/api/stream");
        sockets.add(socket);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      assertThat(listeners).isEmpty();
      try (Socket socket = asking(served, "/api/stream")) {
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        assertThat(reader.readLine()).isEqualTo("HTTP/1.1 200 OK");
      }
    } finally {
      for (Socket each : sockets) each.close();
    }
  }

  @Test
  void aStreamThatFailsToBeginNoLongerCounts() throws Exception {
    Route events =
        new Calling(
            "/api/stream",
            asked ->
                Reply.events(
                    listener -> {
                      throw new IllegalStateException("closing");
                    }));
    try (Served served = new Served(Map.of(), events)) {
      for (int i = 0; i < 65; i++) {
        assertThat(ask(served, "/api/stream")).doesNotContain("503");
      }
    }
  }

  @Test
  void aListenerThatIsRefusedIsStillWatched() throws Exception {
    Queue<Listener> listeners = new ConcurrentLinkedQueue<>();
    Route events = new Calling("/api/stream", asked -> Reply.events(listeners::add));
    List<Socket> sockets = new ArrayList<>();
    ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
    var unused =
        sender.scheduleWithFixedDelay(
            () -> listeners.forEach(each -> each.send("{}")), 0, 20, TimeUnit.MILLISECONDS);
    try (Served served = new Served(1_000, Map.of(), events)) {
      for (int i = 0; i < 64; i++) {
        Socket socket = asking(served, "/api/stream");
        sockets.add(socket);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      try (Socket refused = asking(served, "/api/stream")) {
        refused.setSoTimeout(30_000);
        refused.getOutputStream().write("GET /api/stream HT".getBytes(StandardCharsets.US_ASCII));
        trickleUntilClosed(refused);
        assertThat(Served.all(refused.getInputStream())).contains("503");
      }
    } finally {
      sender.shutdownNow();
      for (Socket each : sockets) each.close();
    }
  }

  /** Sends a header byte by byte, so that the connection is never idle for its timeout. */
  private static void trickleUntilClosed(Socket socket) {
    await()
        .pollInterval(50, TimeUnit.MILLISECONDS)
        .until(
            () -> {
              try {
                socket.getOutputStream().write('T');
                return false;
              } catch (IOException closed) {
                return true;
              }
            });
  }

  private static Socket asking(Served served, String path) throws Exception {
    return request("GET", served, path);
  }

  private static Socket request(String method, Served served, String path) throws Exception {
    Socket socket = served.connect();
    String request = method + " " + path + " HTTP/1.1\r\nHost: " + served.host() + "\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void whoSendsOrTakesNothingIsCutOff() throws Exception {
    Route large = new Calling("/api/large", asked -> Reply.json("x".repeat(50_000_000)));
    try (Served served = new Served(1_500, Map.of(), large);
        Socket halfAsked = served.connect();
        Socket reading = asking(served, "/api/large")) {
      halfAsked.getOutputStream().write("GET /api/large HT".getBytes(StandardCharsets.US_ASCII));
      assertThat(Served.all(halfAsked.getInputStream())).doesNotContain("200");
      assertThat(reading.getInputStream().read()).isEqualTo('H');
      await().until(() -> ask(served, "/health/live"), answer -> answer.startsWith("HTTP/1.1 200"));
    }
  }

  @Test
  void listenersGetWhatIsSentUntilTheyLeave() throws Exception {
    BlockingQueue<Listener> listeners = new LinkedBlockingQueue<>();
    Route events = new Calling("/api/stream", asked -> Reply.events(listeners::add));
    try (Served served = new Served(Map.of(), events);
        Socket socket = asking(served, "/api/stream")) {
      Listener listener = listeners.poll(30, TimeUnit.SECONDS);
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (int i = 0; i < 3; i++) {
        assertThat(listener.send("{\"n\":\n" + i + "}")).isTrue();
        assertThat(awaitLine(reader, "data: ")).isEqualTo("data: {\"n\": " + i + "}");
      }
      leave(socket);
      await().pollInterval(5, TimeUnit.MILLISECONDS).until(() -> !listener.send("x".repeat(1_000)));
    }
  }

  @SuppressWarnings("try") // the client must leave early
  private static void leave(Socket socket) throws IOException {
    socket.close();
  }

  @Test
  void aListenerThatTakesNothingIsCutOff() throws Exception {
    BlockingQueue<Listener> listeners = new LinkedBlockingQueue<>();
    Route events = new Calling("/api/stream", asked -> Reply.events(listeners::add));
    try (Served served = new Served(Map.of(), events);
        Socket socket = asking(served, "/api/stream")) {
      Listener listener = listeners.poll(30, TimeUnit.SECONDS);
      assertThat(socket.isConnected()).isTrue();
      await()
          .pollInterval(5, TimeUnit.MILLISECONDS)
          .until(() -> !listener.send("x".repeat(100_000)));
    }
  }

  @Test
  void listenersAreBounded() throws Exception {
    Route events = new Calling("/api/stream", asked -> Reply.events(listener -> {}));
    List<Socket> sockets = new ArrayList<>();
    try (Served served = new Served(Map.of(), events)) {
      for (int i = 0; i < 64; i++) {
        Socket socket = asking(served, "/api/stream");
        sockets.add(socket);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
      }
      assertThat(ask(served, "/api/stream")).startsWith("HTTP/1.1 503");
    } finally {
      for (Socket each : sockets) each.close();
    }
  }

  private static String awaitLine(BufferedReader reader, String beginning) throws Exception {
    String line = reader.readLine();
    while (line != null && !line.startsWith(beginning)) line = reader.readLine();
    return line;
  }
}
