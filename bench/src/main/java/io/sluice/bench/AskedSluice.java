package io.sluice.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Sluice, while an operator looks at its page and asks about users.
 *
 * @param asked without anybody who asks
 * @param micros how long answers took, in all rounds
 */
record AskedSluice(SluiceApplication asked, Histogram micros) implements Application {
  private static final int DIGITS = 3;

  AskedSluice(SluiceApplication asked) {
    this(asked, new Histogram(DIGITS));
  }

  @Override
  public Running start(Workplace at) {
    int port = freePort();
    Running running = asked.start(at.with("sluice.http.port", Integer.toString(port)));
    return new Both(running, Questions.start(port, micros));
  }

  /** As others do, it may be taken before it is bound, and then the round fails. */
  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> lines() {
    MarkdownTable table = new MarkdownTable("answers, ms", "number", "p50", "p99", "most");
    table.row(
        "a user, 20 a second",
        "%,d".formatted(micros.getTotalCount()),
        millis(50),
        millis(99),
        millis(100));
    return table.lines();
  }

  private String millis(double percentile) {
    return String.format(Locale.ROOT, "%.1f", micros.getValueAtPercentile(percentile) / 1_000.0);
  }

  private record Both(Running running, Questions questions) implements Running {
    @Override
    public boolean hasFailed() {
      return running.hasFailed() || questions.hasFailed();
    }

    @Override
    public void close() {
      questions.close();
      running.close();
    }
  }
}
