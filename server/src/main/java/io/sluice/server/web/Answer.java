package io.sluice.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Complete HTTP response: status, content type and body.
 *
 * @param headers in addition to the headers that every response has
 */
record Answer(int status, String type, ByteBuffer body, List<HttpField> headers) {
  private static final String PLAIN = "text/plain; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";
  static final String JSON = "application/json; charset=utf-8";

  /**
   * Content security policy: content from this origin only, no inline scripts or styles, no
   * framing.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  static Answer of(int status, String type, byte[] body, HttpField... headers) {
    return new Answer(status, type, ByteBuffer.wrap(body), List.of(headers));
  }

  static Answer line(int status, String text, HttpField... headers) {
    return of(status, PLAIN, (text + "\n").getBytes(UTF_8), headers);
  }

  static Answer html(int status, String text, HttpField... headers) {
    return of(status, HTML, text.getBytes(UTF_8), headers);
  }

  static Answer json(int status, String text, HttpField... headers) {
    return of(status, JSON, text.getBytes(UTF_8), headers);
  }

  /** Returns an error response: JSON for paths of the API, plain text for other paths. */
  static Answer problem(String path, int status, String line, HttpField... headers) {
    return Paths.isApi(path)
        ? json(status, JsonText.problem(line), headers)
        : line(status, line, headers);
  }

  /** Returns response 405 for a path that has only one method. */
  static Answer only(String path, String method) {
    String allowed = method.equals("GET") ? "GET, HEAD" : method;
    return problem(path, 405, "only " + method, new HttpField(HttpHeader.ALLOW, allowed));
  }

  /** Sends this response without blocking a thread, even if the client reads slowly. */
  void send(Response response, Callback callback) {
    response.setStatus(status);
    guard(response);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    for (HttpField header : headers) response.getHeaders().put(header);
    response.write(true, body.slice(), callback);
  }

  /**
   * Adds the security headers to a response. With this referrer policy a browser still names its
   * origin when it sends the login form to this instance.
   */
  static void guard(Response response) {
    response
        .getHeaders()
        .put("Content-Security-Policy", POLICY)
        .put("X-Content-Type-Options", "nosniff")
        .put("Referrer-Policy", "same-origin")
        .put("Cross-Origin-Resource-Policy", "same-origin")
        .put(HttpHeader.CACHE_CONTROL, "no-store");
  }
}
