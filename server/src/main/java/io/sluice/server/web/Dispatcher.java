package io.sluice.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/**
 * Dispatches each HTTP request: to metrics and health, or, if the guard permits the request, to the
 * API or the page.
 */
final class Dispatcher extends Handler.Abstract.NonBlocking {
  private static final int MOST_BODY_BYTES = 64 * 1024;
  private static final String PATHS =
      "unknown path; use "
          + Paths.METRICS
          + ", "
          + Paths.LIVE
          + ", "
          + Paths.READY
          + " or "
          + Paths.API;

  private final Guard guard;
  private final Observed observed;
  private final ApiCalls calls;
  private final boolean secure;

  Dispatcher(Guard guard, Observed observed, ApiCalls calls, boolean secure) {
    this.guard = guard;
    this.observed = observed;
    this.calls = calls;
    this.secure = secure;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = request.getHttpURI().getPath();
    Optional<Answer> refusal =
        observed.answer(path, Guard.isRead(request)).or(() -> guard.refusal(request, path));
    if (refusal.isPresent()) refusal.get().send(response, callback);
    else if (!Guard.isRead(request)) write(request, path, response, callback);
    else if (Paths.isApi(path)) calls.answer(request, "", response, callback);
    else page(path).send(response, callback);
    return true;
  }

  private Answer page(String path) throws Exception {
    boolean isForm = path.equals(Paths.SESSION) && !guard.tokens().isEmpty();
    if (isForm) return Answer.html(200, Session.form(""));
    return PageFiles.at(path).orElseGet(() -> Answer.line(404, PATHS));
  }

  /**
   * Reads the body of a request without blocking a thread, up to the largest size, and then handles
   * the request.
   */
  private void write(Request request, String path, Response response, Callback callback) {
    Content.Source.asByteArrayAsync(
        request,
        MOST_BODY_BYTES,
        Promise.Invocable.from(
            InvocationType.NON_BLOCKING,
            body -> written(request, body, response, callback),
            failure -> tooMuch(path).send(response, callback)));
  }

  private static Answer tooMuch(String path) {
    return Answer.problem(
        path, 413, "the body must have at most " + MOST_BODY_BYTES / 1024 + " KiB");
  }

  private void written(Request request, byte[] bytes, Response response, Callback callback) {
    String path = request.getHttpURI().getPath();
    try {
      String body = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (path.equals(Paths.SESSION)) session(body).send(response, callback);
      else calls.answer(request, body, response, callback);
    } catch (CharacterCodingException e) {
      // Bad UTF-8 is an error: if bad bytes were replaced, two different user ids could become
      // equal.
      Answer.problem(path, 400, "the body must be UTF-8").send(response, callback);
    }
  }

  private Answer session(String form) {
    return guard.tokens().isEmpty()
        ? Answer.line(404, PATHS)
        : new Session(guard.tokens(), secure).answer(form);
  }
}
