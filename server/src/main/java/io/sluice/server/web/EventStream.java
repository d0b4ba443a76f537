package io.sluice.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Stream of server-sent events to one client. It has no thread: data is written when the client can
 * take it, and a client that is more than about 1 MiB behind is disconnected.
 */
final class EventStream implements Route.Listener {
  private static final String TYPE = "text/event-stream; charset=utf-8";
  private static final int MOST_WAITING_CHARS = 1 << 20;

  private final Response response;
  private final Callback done;
  private final StringBuilder waiting = new StringBuilder();
  private boolean writing;
  private boolean ended;

  EventStream(Response response, Callback done) {
    this.response = response;
    this.done = done;
  }

  /** Returns the response to a HEAD request, which has headers only. */
  static Answer headers() {
    return Answer.of(200, TYPE, new byte[0]);
  }

  void open() {
    response.setStatus(200);
    Answer.guard(response);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, TYPE);
    send(": begin", "");
  }

  @Override
  public boolean send(String data) {
    return send("data: ", data.replaceAll("[\r\n]+", " "));
  }

  private boolean send(String kind, String data) {
    synchronized (waiting) {
      if (ended) return false;
      waiting.append(kind).append(data).append("\n\n");
      if (waiting.length() > MOST_WAITING_CHARS) {
        end(new IllegalStateException("the client reads too slowly"));
        return false;
      }
      if (!writing) writeNext();
      return true;
    }
  }

  /** Writes all data that was added while the previous write was under way. */
  private void writeNext() {
    writing = true;
    ByteBuffer bytes = ByteBuffer.wrap(waiting.toString().getBytes(UTF_8));
    waiting.setLength(0);
    response.write(false, bytes, Callback.from(this::written, this::failed));
  }

  private void written() {
    synchronized (waiting) {
      writing = false;
      if (!ended && waiting.length() > 0) writeNext();
    }
  }

  /**
   * Ends the stream, so that it no longer counts as open; has no effect if the stream has ended.
   */
  void failed(Throwable cause) {
    synchronized (waiting) {
      end(cause);
    }
  }

  private void end(Throwable cause) {
    if (ended) return;
    ended = true;
    done.failed(cause);
  }
}
