package io.sluice.bench.apps;

import io.sluice.bench.input.Input;
import io.sluice.bench.report.Figures;
import io.sluice.bench.report.MarkdownTable;
import io.sluice.bench.run.Application;
import io.sluice.bench.run.Workplace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
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
    return Questions.start(asked.open(at.with("sluice.http.port", "0")), micros);
  }

  public List<String> lines() {
    return new MarkdownTable<>(List.of(micros))
        .text("answers, ms", each -> "a user, 20 a second")
        .figure("number", "%,.0f", Histogram::getTotalCount)
        .text("p50", each -> Figures.millis(each, 50))
        .text("p99", each -> Figures.millis(each, 99))
        .text("most", each -> Figures.millis(each, 100))
        .lines();
  }

  /**
   * Running instance with a simulated operator over HTTP, who keeps the event stream of the web
   * page open, queries a user 20 times a second, and queries the busiest keys every two seconds.
   */
  private static final class Questions implements Application.Running {
    /*
     * Open loop: the duration of an answer starts at the time at which its query was due. Measuring
     * begins after this many successful answers in a row, because until then the instance is
     * starting, one partition after the other.
     */
    private static final int IN_A_ROW = 50;

    private static final long GAP_NANOS = 50_000_000;
    private static final int TOP_EACH = 40;
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;
    private static final long MOST_WAIT_NANOS = 10_000_000_000L;

    private final HttpClient client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final SplittableRandom random = new SplittableRandom(1);
    private final RunningSluice asked;
    private final String base;
    private final Histogram micros;
    private final Thread thread = new Thread(this::ask, "questions");
    private volatile boolean ended;
    private volatile boolean failed;

    private Questions(RunningSluice asked, Histogram micros) {
      this.asked = asked;
      base = asked.sluice().httpAddress().orElseThrow() + "/api/";
      this.micros = micros;
    }

    static Questions start(RunningSluice asked, Histogram micros) {
      Questions questions = new Questions(asked, micros);
      questions.thread.setDaemon(true);
      questions.thread.start();
      return questions;
    }

    private void ask() {
      try {
        for (int answered = 0; !ended && answered < IN_A_ROW; ) {
          answered = get(user()) == OK ? answered + 1 : 0;
          if (answered == 0) LockSupport.parkNanos(GAP_NANOS);
        }
        var page = client.sendAsync(request("stream"), HttpResponse.BodyHandlers.discarding());
        askOnTime(System.nanoTime());
        page.cancel(true);
      } catch (IOException e) {
        failed = true;
        System.err.println("a question was not answered: " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void askOnTime(long begin) throws IOException, InterruptedException {
      for (long i = 0; !ended; i++) {
        long due = begin + i * GAP_NANOS;
        for (long wait; (wait = due - System.nanoTime()) > 0; ) LockSupport.parkNanos(wait);
        boolean top = i % TOP_EACH == 0;
        String path = top ? "top" : user();
        answer(path, due);
        if (!top) micros.recordValue((System.nanoTime() - due) / 1_000);
      }
    }

    /**
     * Repeats a query while it is answered with 503, because no instance may have a partition while
     * the partition moves. The waits count towards the duration of the answer.
     */
    private void answer(String path, long due) throws IOException, InterruptedException {
      for (int status; (status = get(path)) != OK; ) {
        boolean tooLong = System.nanoTime() - due > MOST_WAIT_NANOS;
        if (status != UNAVAILABLE || tooLong)
          throw new IOException("status " + status + " of " + path);
        LockSupport.parkNanos(GAP_NANOS);
      }
    }

    private String user() {
      return "limits/measured/key?userId=user-" + random.nextInt(Input.FEW);
    }

    private int get(String path) throws IOException, InterruptedException {
      return client.send(request(path), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private HttpRequest request(String path) {
      return HttpRequest.newBuilder(URI.create(base + path))
          .timeout(Duration.ofSeconds(30))
          .build();
    }

    @Override
    public boolean hasFailed() {
      return failed || asked.hasFailed();
    }

    @Override
    public void close() {
      ended = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      asked.close();
    }
  }
}
