package io.sluice.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends Redis' PING command without a client library. */
final class RedisPing {
  private static final int TIMEOUT_MS = 1_000;

  private RedisPing() {}

  /**
   * Whether a Redis server answers a PING on this port. A server that requires a password counts as
   * answering; a server that still loads its data does not.
   */
  static boolean isAnsweredOn(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(LocalPort.address(port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      String answer =
          new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
              .readLine();
      return "+PONG".equals(answer) || (answer != null && answer.startsWith("-NOAUTH"));
    } catch (IOException e) {
      return false;
    }
  }
}
