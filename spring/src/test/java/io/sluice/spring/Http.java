package io.sluice.spring;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** HTTP client for applications on this machine. */
public final class Http {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Http() {}

  public static HttpResponse<String> get(App app, String path, String... headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(app.url() + path));
    if (headers.length > 0) request.headers(headers);
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (Exception e) {
      throw new AssertionError(path, e);
    }
  }

  public static String header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /**
   * Sends a request from each of so many threads at once, to the applications in turn, and counts
   * the answers with this status.
   */
  public static long statuses(int status, int threads, String path, App... apps) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CountDownLatch start = new CountDownLatch(1);
    try {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        App app = apps[i % apps.length];
        answers.add(
            pool.submit(
                () -> {
                  start.await();
                  return get(app, path).statusCode();
                }));
      }
      start.countDown();
      long count = 0;
      for (Future<Integer> answer : answers) if (answer.get() == status) count++;
      return count;
    } catch (Exception e) {
      throw new AssertionError(e);
    } finally {
      pool.shutdownNow();
    }
  }
}
