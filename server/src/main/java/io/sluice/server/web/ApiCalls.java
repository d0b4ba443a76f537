package io.sluice.server.web;

import io.sluice.server.web.Route.Reply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executor of API routes on a few threads of its own, so that a slow route does not delay responses
 * with metrics and health.
 */
final class ApiCalls implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ApiCalls.class);
  private static final int THREADS = 8;
  private static final int MOST_WAITING = 64;
  private static final int MOST_LISTENERS = 64;

  private final Routes routes;
  private final ConnectionGuard connections;
  private final Guard guard;
  private final AtomicInteger listeners = new AtomicInteger();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MOST_WAITING),
          ApiCalls::thread);

  ApiCalls(Routes routes, ConnectionGuard connections, Guard guard) {
    this.routes = routes;
    this.connections = connections;
    this.guard = guard;
    threads.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-api");
    thread.setDaemon(true);
    return thread;
  }

  /** Calls the route of a path on another thread, which also sends the response. */
  void answer(Request request, String body, Response response, Callback callback) {
    String path = request.getHttpURI().getPath();
    Optional<Route> route = routes.at(path);
    if (route.isEmpty()) {
      missing(path).send(response, callback);
      return;
    }
    try {
      threads.execute(() -> call(route.get(), request, body, response, callback));
    } catch (RejectedExecutionException e) {
      Answer.problem(path, 503, "too many requests at once; try again").send(response, callback);
    }
  }

  private Answer missing(String path) {
    return routes.areMade()
        ? Answer.problem(path, 404, "unknown path; /api/openapi.json describes the API")
        : Answer.problem(path, 503, "the instance is starting; try again");
  }

  private void call(
      Route route, Request request, String body, Response response, Callback callback) {
    String path = request.getHttpURI().getPath();
    try {
      send(reply(route, request, path, body), request, response, callback);
    } catch (Exception | StackOverflowError e) {
      LOG.warn("{} failed", route.path(), e);
      Answer.problem(path, 500, "the request failed; the log of the instance has the reason")
          .send(response, callback);
    }
  }

  private Reply reply(Route route, Request request, String path, String body) throws Exception {
    String query = request.getHttpURI().getQuery();
    List<String> below;
    Map<String, String> parameters;
    try {
      below = Paths.below(path, route.path());
      parameters = Paths.parameters(query == null ? "" : query);
    } catch (IllegalArgumentException e) {
      return Reply.problem(400, e.getMessage());
    }
    String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    return route.reply(new Route.Request(method, below, parameters, body, guard.mayWrite(request)));
  }

  private void send(Reply reply, Request request, Response response, Callback callback) {
    if (reply instanceof Route.Json json) {
      Answer.json(json.status(), json.text()).send(response, callback);
    } else if (reply instanceof Route.Only only) {
      Answer.only(request.getHttpURI().getPath(), only.method()).send(response, callback);
    } else if (reply instanceof Route.Events events) {
      if (request.getMethod().equals("HEAD")) EventStream.headers().send(response, callback);
      else listen(events, request, response, callback);
    }
  }

  private void listen(Route.Events events, Request request, Response response, Callback callback) {
    if (listeners.incrementAndGet() > MOST_LISTENERS) {
      listeners.decrementAndGet();
      Answer.problem(Paths.API, 503, "too many clients of /api/stream; close a page")
          .send(response, callback);
      return;
    }
    Callback done = Callback.from(callback, listeners::decrementAndGet);
    EventStream stream = new EventStream(response, done);
    connections.exempt(request.getConnectionMetaData().getConnection());
    request.addFailureListener(stream::failed);
    stream.open();
    try {
      events.begin().accept(stream);
    } catch (RuntimeException e) {
      LOG.warn("cannot start the event stream of a client; its connection is closed", e);
      stream.failed(e);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
