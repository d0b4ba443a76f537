package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.testing.LogLines;
import io.sluice.topology.config.HttpConfig;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of calls to an advertised address where another server answers. */
class InstanceClientTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final HttpConfig HTTP = SluiceConfig.example(Map.of()).http();
  private static final InstanceClient PEERS = new InstanceClient(HTTP);

  /** Server that answers one request with given headers and body. */
  private static final class Odd implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

    /** Completes when the client closes the connection. */
    private final CompletableFuture<Void> closed;

    /** Writes a part of the body each time; fails when the client has disconnected. */
    interface Body {
      void write(Socket socket) throws IOException;
    }

    Odd(String headers, Body body) throws IOException {
      closed = CompletableFuture.runAsync(() -> answer(headers, body), each -> start(each));
    }

    private static void start(Runnable work) {
      Thread thread = new Thread(work, "odd");
      thread.setDaemon(true);
      thread.start();
    }

    private void answer(String headers, Body body) {
      try (Socket socket = server.accept()) {
        StringBuilder asked = new StringBuilder();
        while (asked.indexOf("\r\n\r\n") < 0) asked.append((char) socket.getInputStream().read());
        socket.getOutputStream().write(("HTTP/1.1 200 OK\r\n" + headers + "\r\n").getBytes(UTF_8));
        while (true) body.write(socket);
      } catch (IOException e) {
        // the client has closed the connection
      }
    }

    String address() {
      return "127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  /** Sends a byte every few milliseconds until the client closes the connection. */
  private static void drip(Socket socket) throws IOException {
    socket.setSoTimeout(5);
    try {
      if (socket.getInputStream().read() < 0) throw new IOException("closed");
    } catch (SocketTimeoutException e) {
      socket.getOutputStream().write(' ');
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 1000000000\r\n"})
  void aBodyThatDoesNotEndIsNoAnswerAndItsConnectionIsClosed(String headers) throws Exception {
    InstanceClient hasty = new InstanceClient(HTTP, Duration.ofMillis(500));
    try (Odd odd = new Odd(headers, InstanceClientTest::drip)) {
      assertThat(hasty.ask(odd.address(), "/", Map.of())).failsWithin(LONG);
      assertThat(odd.closed).succeedsWithin(LONG);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 1000000000000\r\n"})
  void aBodyThatIsTooLongIsNoAnswerAndItsConnectionIsClosed(String headers) throws Exception {
    AtomicLong sent = new AtomicLong();
    byte[] part = new byte[1 << 16];
    Odd.Body flood =
        socket -> {
          socket.getOutputStream().write(part);
          sent.addAndGet(part.length);
        };
    try (Odd odd = new Odd(headers, flood)) {
      OtherInstances others = new OtherInstances("", PEERS, () -> List.of(odd.address()));
      assertThat(others.askAll("/", Map.of(), text -> text).get().unanswered())
          .contains(new Unanswered(odd.address(), "it answers with more than 16777216 bytes"));
      assertThat(odd.closed).succeedsWithin(LONG);
      assertThat(sent.get()).isLessThan(4L * InstanceClient.MOST_BYTES);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aBodyMayBeAsLongAsTheBound(int more) throws Exception {
    byte[] body = "x".repeat(InstanceClient.MOST_BYTES + more).getBytes(UTF_8);
    Odd.Body whole =
        socket -> {
          OutputStream out = socket.getOutputStream();
          out.write(body);
          throw new IOException("all is sent");
        };
    try (Odd odd = new Odd("Content-Length: " + body.length + "\r\n", whole)) {
      Optional<Integer> length =
          PEERS
              .ask(odd.address(), "/", Map.of())
              .thenApply(said -> Optional.of(said.body().length()))
              .exceptionally(failure -> Optional.empty())
              .join();
      assertThat(length).isEqualTo(more == 0 ? Optional.of(body.length) : Optional.empty());
    }
  }

  @Test
  void countsThatWouldOverflowAndTooManyLimitsAreRefused() {
    String limit = "{\"limit\":\"reply\",\"lastMinute\":{\"allowed\":" + (1L << 49) + "}}";
    assertThat(limits(limit, 2)).isNotNull();
    assertRefused(limit, 3);
    assertThat(limits("{\"limit\":\"reply\"}", Report.MOST_LIMITS)).isNotNull();
    assertRefused("{\"limit\":\"reply\"}", Report.MOST_LIMITS + 1);
  }

  private static LastMinute limits(String limit, int times) {
    String all = String.join(",", Collections.nCopies(times, limit));
    return LastMinute.read("{\"limits\":[" + all + "]}");
  }

  private static void assertRefused(String limit, int times) {
    assertThatThrownBy(() -> limits(limit, times))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("it does not answer as Sluice does");
  }

  private static final String SILENT = " does not answer this one: ";

  @Test
  void anInstanceThatDoesNotAnswerIsLoggedOnceAndOnceWhenItAnswersAgain() throws Exception {
    try (LogLines lines = LogLines.of(OtherInstances.class)) {
      int port;
      try (ServerSocket free = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      String address = "127.0.0.1:" + port;
      OtherInstances others = new OtherInstances("", PEERS, () -> List.of(address));
      for (int i = 0; i < 3; i++) others.askAll("/", Map.of(), text -> text).get();
      assertThat(lines.lines())
          .singleElement()
          .asString()
          .startsWith("WARN instance " + address + SILENT + "no connection; ")
          .contains("; see whether it runs, and whether its sluice.http.advertised can be reached");

      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.start(); // answers each path with 404
      try {
        for (int i = 0; i < 3; i++) others.askAll("/", Map.of(), text -> text).get();
      } finally {
        server.stop(0);
      }
      assertThat(lines.lines())
          .hasSize(2)
          .last()
          .isEqualTo("INFO instance " + address + " answers again");
    }
  }

  @Test
  void anInstanceThatHasLeftTheGroupIsNotLoggedAgain() throws Exception {
    try (LogLines lines = LogLines.of(OtherInstances.class)) {
      List<String> addresses = new ArrayList<>(List.of("127.0.0.1:1"));
      OtherInstances others = new OtherInstances("", PEERS, () -> addresses);
      others.askAll("/", Map.of(), text -> text).get();
      addresses.clear();
      others.askAll("/", Map.of(), text -> text).get();
      addresses.add("127.0.0.1:1");
      others.askAll("/", Map.of(), text -> text).get();
      assertThat(lines.lines()).hasSize(2).allMatch(line -> line.contains(SILENT));
    }
  }
}
