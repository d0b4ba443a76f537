package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.topology.config.HttpConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of an address where no instance answers, but another server. */
class InstanceTest {
  private static final long WHOLE_MS = 300;

  /** Writes the beginning of an answer, and then a byte every few milliseconds, without an end. */
  private static void drip(ServerSocket server, String beginning) {
    try (Socket socket = server.accept();
        OutputStream out = socket.getOutputStream()) {
      out.write(beginning.getBytes(UTF_8));
      for (; ; TimeUnit.MILLISECONDS.sleep(5)) {
        out.write('x');
        out.flush();
      }
    } catch (IOException e) {
      // The client has closed the connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 OK\r\nX: ", "HTTP/1.1 200 OK\r\n\r\n{", "HTTP/1.1 "})
  @Timeout(30)
  void anAnswerThatComesByteByByteEndsTheRequest(String beginning) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread dripping = new Thread(() -> drip(server, beginning), "drip");
      dripping.setDaemon(true);
      dripping.start();
      Instance instance =
          Instance.of(
              HttpConfig.ofEnvironment(Map.of()),
              "http://127.0.0.1:" + server.getLocalPort(),
              WHOLE_MS);
      Instance.UnansweredException failure =
          catchThrowableOfType(Instance.UnansweredException.class, instance::limits);
      assertThat(failure).hasMessageContaining("does not answer like an instance of Sluice");
      assertThat(failure.isSilence()).isTrue();
      assertThat(failure).hasRootCauseMessage(null);
    }
  }
}
