package io.sluice.server.web;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Part of the HTTP API that answers requests for one path and the paths below it. Before a route is
 * called, the server has checked that the client may send the request. Thread-safe.
 */
public interface Route {
  /**
   * Path of the route, such as {@code /api/limits}. If two routes match a request, the route with
   * the longer path is used.
   */
  String path();

  /**
   * Handles a request. It may block for seconds, since it runs on a thread of the API. An exception
   * becomes status 500 and a line in the log, so mistakes of the client must be returned as {@link
   * Reply#problem}.
   */
  Reply reply(Request request) throws Exception;

  /**
   * HTTP request to a route.
   *
   * @param method GET, or PUT, POST or DELETE if writing is enabled
   * @param below the parts of the path after the route's own, decoded
   * @param parameters of the query, decoded; each occurs once
   * @param body of a request that writes, JSON according to its content type; otherwise empty
   * @param mayWrite false if the client's token only permits reading
   */
  record Request(
      String method,
      List<String> below,
      Map<String, String> parameters,
      String body,
      boolean mayWrite) {
    /** Creates a request of a client that may write. */
    public Request(String method, List<String> below, Map<String, String> parameters, String body) {
      this(method, below, parameters, body, true);
    }
  }

  /** Response of a route. */
  sealed interface Reply {
    /** Successful response with a JSON text. */
    static Reply json(String text) {
      return new Json(200, text);
    }

    /** Error response as JSON with the reason in one line of text. */
    static Reply problem(int status, String line) {
      return new Json(status, JsonText.problem(line));
    }

    /** Error response 405 for a path with only one method. */
    static Reply only(String method) {
      return new Only(method);
    }

    /** Successful response with a record as a JSON object. */
    static Reply of(Object record) {
      return new Json(200, JsonText.of(record));
    }

    /** Response with a JSON object. */
    static Reply object(int status, Fields fields) {
      return new Json(status, Route.object(fields));
    }

    /** Response with a status and a JSON text, such as for a partial success. */
    static Reply json(int status, String text) {
      return new Json(status, text);
    }

    /**
     * Response that is a stream of server-sent events until the client leaves. The server bounds
     * the number of streams.
     *
     * @param begin gets the listener at once, on the thread of the request, and must return
     */
    static Reply events(Consumer<Listener> begin) {
      return new Events(begin);
    }
  }

  /** Function that writes the fields of a JSON object. */
  interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  /**
   * Returns the text of a JSON object with a line end. Characters in values are escaped as JSON
   * requires.
   */
  static String object(Fields fields) {
    return JsonText.object(fields);
  }

  /** Response of a route with a status and a JSON text. */
  record Json(int status, String text) implements Reply {}

  /** Error response 405 for a path, with the only method that the path has. */
  record Only(String method) implements Reply {}

  /** Stream of server-sent events, with the function that receives its listener. */
  record Events(Consumer<Listener> begin) implements Reply {}

  /**
   * Client that receives server-sent events. Sending never waits for a slow client. Thread-safe.
   */
  interface Listener {
    /**
     * Sends one server-sent event of one line, such as a JSON text.
     *
     * @return false if the client has left, or was disconnected because it reads too slowly
     */
    boolean send(String data);
  }
}
