package io.sluice.guarantees.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A connection to Redis for commands that Sluice does not send. */
public final class RedisConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  public RedisConnection(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends a command, and returns its answer: an item for each element of an array.
   *
   * @throws IllegalStateException if the answer is an error
   */
  public List<String> command(String... words) {
    StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      text.append('$').append(word.getBytes(UTF_8).length).append("\r\n").append(word);
      text.append("\r\n");
    }
    try {
      socket.getOutputStream().write(text.toString().getBytes(UTF_8));
      List<String> answer = new ArrayList<>();
      read(answer);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(List<String> into) throws IOException {
    String line = line();
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case '+', ':' -> into.add(rest);
      case '$' -> into.add(bulk(Integer.parseInt(rest)));
      case '*' -> {
        for (int left = Integer.parseInt(rest); left > 0; left--) read(into);
      }
      default -> throw new IllegalStateException("Redis answers " + line);
    }
  }

  private String bulk(int length) throws IOException {
    if (length < 0) return "";
    String text = new String(in.readNBytes(length), UTF_8);
    in.skipNBytes(2);
    return text;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) throw new IOException("Redis has closed the connection");
      if (next != '\r') line.append((char) next);
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
