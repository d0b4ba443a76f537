package io.sluice.bench.apps;

import io.sluice.bench.report.Figures;
import io.sluice.bench.report.MarkdownTable;
import io.sluice.bench.run.Application;
import io.sluice.bench.run.Workplace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Sluice application, while an operator has its web page open and queries users over HTTP.
 *
 * @param asked the application to be queried
 * @param micros durations of the HTTP answers in all rounds, µs
 */
public record AskedSluice(SluiceApplication asked, Histogram micros) implements Application {
  private static final int DIGITS = 3;

  public AskedSluice(SluiceApplication asked) {
    this(asked, new Histogram(DIGITS));
  }

  @Override
  public Running start(Workplace at) {
    int port = freePort();
    Running running = asked.start(at.with("sluice.http.port", Integer.toString(port)));
    return new Both(running, Questions.start(port, micros));
  }

  /**
   * Returns a free port. Another process may take the port before Sluice listens on it; then the
   * round fails.
   */
  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public List<String> lines() {
    MarkdownTable table = new MarkdownTable("answers, ms", "number", "p50", "p99", "most");
    table.row(
        "a user, 20 a second",
        "%,d".formatted(micros.getTotalCount()),
        Figures.millis(micros, 50),
        Figures.millis(micros, 99),
        Figures.millis(micros, 100));
    return table.lines();
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
