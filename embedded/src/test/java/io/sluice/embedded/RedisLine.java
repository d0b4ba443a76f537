package io.sluice.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Sends an inline command to a Redis, as on a terminal. */
final class RedisLine {
  private static final int TIMEOUT_MS = 500;

  private RedisLine() {}

  /** Returns the lines of the answer. */
  static List<String> ask(int port, String command) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(LocalPort.address(port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
      socket.shutdownOutput(); // a Sentinel does not know QUIT
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      List<String> lines = new ArrayList<>(reader.lines().toList());
      lines.remove(lines.size() - 1);
      return lines;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
