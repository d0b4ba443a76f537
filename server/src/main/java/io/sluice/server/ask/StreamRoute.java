package io.sluice.server.ask;

import io.sluice.server.web.Route;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API route that sends an update to the page each second, as server-sent events. Without clients no
 * update is built and no instance is asked. All clients get the same text.
 */
final class StreamRoute implements Route, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamRoute.class);

  /**
   * Longest time in milliseconds that the first update for a client waits for the other instances.
   */
  private static final long MOST_WAIT_MS = 500;

  private final CountsOfAll counts;
  private final StreamText text;
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService ticking =
      Executors.newSingleThreadScheduledExecutor(StreamRoute::thread);

  private StreamRoute(CountsOfAll counts, StreamText text) {
    this.counts = counts;
    this.text = text;
  }

  static StreamRoute open(CountsOfAll counts, StreamText text) {
    StreamRoute route = new StreamRoute(counts, text);
    var unused = route.ticking.scheduleAtFixedRate(route::tick, 1, 1, TimeUnit.SECONDS);
    return route;
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-stream");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public String path() {
    return "/api/stream";
  }

  @Override
  public Reply reply(Request request) {
    if (!request.method().equals("GET")) return Reply.only("GET");
    if (!request.below().isEmpty() || !request.parameters().isEmpty()) {
      return Reply.problem(400, "unknown path or parameter; use /api/stream");
    }
    return Reply.events(this::begin);
  }

  private void begin(Listener listener) {
    var unused =
        counts
            .ask()
            .completeOnTimeout(null, MOST_WAIT_MS, TimeUnit.MILLISECONDS)
            .thenRunAsync(() -> greet(listener), ticking);
  }

  private void greet(Listener listener) {
    if (listener.send(text.history())) listeners.add(listener);
  }

  /**
   * Sends the update of a second to all clients. Catches exceptions, since a thrown one would stop
   * the timer.
   */
  private void tick() {
    try {
      if (listeners.isEmpty()) {
        counts.forget();
        return;
      }
      var unused = counts.ask();
      String now = counts.takeMorePast() ? text.history() : text.now();
      listeners.removeIf(listener -> !listener.send(now));
    } catch (RuntimeException e) {
      LOG.warn("cannot send an event of /api/stream; the next try is in a second", e);
    }
  }

  @Override
  public void close() {
    ticking.shutdownNow();
  }
}
