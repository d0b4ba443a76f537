package io.sluice.server.web;

import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Response to a malformed request: the text of its HTTP status, without any text that the client
 * sent.
 */
final class Errors implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    Answer.line(status, HttpStatus.getMessage(status)).send(response, callback);
    return true;
  }
}
