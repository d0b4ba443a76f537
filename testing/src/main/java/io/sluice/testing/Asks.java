package io.sluice.testing;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** HTTP client that sends JSON to one instance. */
public record Asks(URI base) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Response: its status and body, and the Allow header or an empty text. */
  public record Answer(int status, String body, String allow) {
    /** Creates a response without an Allow header. */
    public Answer(int status, String body) {
      this(status, body, "");
    }

    /** Returns the texts of a list in the body. */
    public List<String> texts(String name) {
      String list = body.replaceAll("(?s).*\"" + name + "\":\\[(.*?)\\][,}].*", "$1");
      return list.isEmpty() ? List.of() : List.of(list.replaceAll("^\"|\"$", "").split("\",\""));
    }
  }

  public Answer put(String path, String body) throws Exception {
    return send("PUT", path, body);
  }

  public Answer post(String path, String body) throws Exception {
    return send("POST", path, body);
  }

  public Answer get(String path) throws Exception {
    return send("GET", path, "");
  }

  /**
   * Sends a request and returns the response.
   *
   * @param headers names and values alternately
   */
  public Answer send(String method, String path, String body, String... headers) throws Exception {
    return send(method, path, BodyPublishers.ofString(body), headers);
  }

  public Answer send(String method, String path, HttpRequest.BodyPublisher body, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE).method(method, body);
    if (!method.equals("GET")) request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    HttpResponse<String> response =
        HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    String allow = response.headers().firstValue("Allow").orElse("");
    return new Answer(response.statusCode(), response.body(), allow);
  }
}
