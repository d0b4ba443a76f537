package io.sluice.topology.web;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A part of the API: what it answers to requests for one path and those below it. Whoever asks has
 * been let in by then. Safe for many threads.
 */
public interface Route {
  /** The path, such as {@code /api/limits}; of two that fit, the longer one is asked. */
  String path();

  /**
   * Answers; it may wait for seconds, on a thread of its own. What is thrown becomes a 500, with a
   * line in the log: mistakes of whoever asks are to be told by {@link Reply#problem}.
   */
  Reply reply(Request request) throws Exception;

  /**
   * A request.
   *
   * @param method GET, or PUT, POST or DELETE if writing is enabled
   * @param below the parts of the path after the route's own, decoded
   * @param parameters of the query, decoded; each is there once
   * @param body of what is written, in JSON as far as its content type tells; otherwise empty
   * @param mayWrite false if the client's token only reads
   */
  record Request(
      String method,
      List<String> below,
      Map<String, String> parameters,
      String body,
      boolean mayWrite) {
    /** Of a client that may write. */
    public Request(String method, List<String> below, Map<String, String> parameters, String body) {
      this(method, below, parameters, body, true);
    }
  }

  /** An answer. */
  sealed interface Reply {
    /** A JSON text. */
    static Reply json(String text) {
      return new Json(200, text);
    }

    /** Anything but a success, with its reason in one line for people. */
    static Reply problem(int status, String line) {
      return new Json(status, JsonText.problem(line));
    }

    /** That the path has another method, which alone it has. */
    static Reply only(String method) {
      return new Only(method);
    }

    /** A JSON object. */
    static Reply object(int status, Fields fields) {
      return new Json(status, Route.object(fields));
    }

    /** A JSON text that is no success, or not only one. */
    static Reply json(int status, String text) {
      return new Json(status, text);
    }

    /**
     * Server-sent events for as long as the listener listens; the server bounds their number.
     *
     * @param begin gets the listener at once, on the thread of the request, and returns
     */
    static Reply events(Consumer<Listener> begin) {
      return new Events(begin);
    }
  }

  /** What writes the fields of a JSON object. */
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  /** The text of a JSON object, with every character from outside escaped; it ends its line. */
  static String object(Fields fields) {
    return JsonText.object(fields);
  }

  /** A status and a text. */
  record Json(int status, String text) implements Reply {}

  /** The only method of a path, which was not asked for. */
  record Only(String method) implements Reply {}

  /** A beginning of events. */
  record Events(Consumer<Listener> begin) implements Reply {}

  /** Somebody who listens to events. Nothing waits for a slow one. Safe for many threads. */
  interface Listener {
    /**
     * Sends one event of one line, such as a JSON text.
     *
     * @return false if the listener has left, or was cut off because it reads too slowly
     */
    boolean send(String data);
  }
}
