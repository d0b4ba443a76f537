package io.sluice.bench.apps;

import io.sluice.bench.input.Input;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Simulates an operator over HTTP: keeps the event stream of the web page open, queries a user 20
 * times a second, and queries the busiest keys every two seconds.
 */
final class Questions implements AutoCloseable {
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
  private final String base;
  private final Histogram micros;
  private final Thread thread = new Thread(this::ask, "questions");
  private volatile boolean ended;
  private volatile boolean failed;

  private Questions(int port, Histogram micros) {
    base = "http://127.0.0.1:" + port + "/api/";
    this.micros = micros;
  }

  static Questions start(int port, Histogram micros) {
    Questions questions = new Questions(port, micros);
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
    return HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(30)).build();
  }

  boolean hasFailed() {
    return failed;
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
