package io.sluice.server.ask;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.sluice.runtime.monitoring.Health;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.server.web.JsonText;
import io.sluice.server.web.Route;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.QueueGauges;
import io.sluice.topology.metrics.RedisMetrics;
import io.sluice.topology.watch.Watch;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
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
  private final Monitoring monitoring;
  private final boolean usesRedis;
  private final InstantSource clock;
  private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService ticking =
      Executors.newSingleThreadScheduledExecutor(StreamRoute::thread);

  /**
   * Update for the page: the event counts of all instances, of the last quarter of an hour
   * ("history") or of its last steps ("now"), and the state of this instance.
   */
  private record Update(
      String kind,
      long nowMs,
      @JsonUnwrapped CountsResponse counts,
      List<String> answered,
      List<Unanswered> unanswered,
      Delayed delayed,
      Queue queue,
      Redis redis,
      Health.Answer ready,
      long deadLetters) {}

  private record Delayed(long waiting, long overdueMs) {}

  /** Events in line, and their number by limit. */
  private record Queue(boolean used, long waiting, long oldestMs, Map<String, Long> limits) {
    static Queue of(QueueGauges gauges) {
      Map<String, Long> limits = gauges.lengths();
      return new Queue(!limits.isEmpty(), gauges.waiting(), gauges.oldestMs(), limits);
    }
  }

  private record Redis(boolean used, boolean available, long waiting) {}

  private StreamRoute(
      CountsOfAll counts, Monitoring monitoring, boolean usesRedis, InstantSource clock) {
    this.counts = counts;
    this.monitoring = monitoring;
    this.usesRedis = usesRedis;
    this.clock = clock;
  }

  /** Creates the route and starts its timer. */
  static StreamRoute open(
      CountsOfAll counts, Monitoring monitoring, boolean usesRedis, InstantSource clock) {
    StreamRoute route = new StreamRoute(counts, monitoring, usesRedis, clock);
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
    if (listener.send(history())) listeners.add(listener);
  }

  private String history() {
    return text("history", Watch.STEPS);
  }

  private String text(String kind, int steps) {
    long nowMs = clock.millis();
    CountsOfAll.Sum sum = counts.sum(nowMs);
    Instruments instruments = monitoring.instruments();
    RedisMetrics redis = instruments.redis();
    Update update =
        new Update(
            kind,
            nowMs,
            CountsResponse.of(sum.history(), steps),
            sum.answered(),
            sum.unanswered(),
            new Delayed(instruments.delayed().waiting(), instruments.delayed().overdueMs()),
            Queue.of(instruments.queues()),
            new Redis(usesRedis, redis.isAvailable(), redis.waiting()),
            monitoring.health().ready(),
            instruments.deadLetters());
    return JsonText.of(update).stripTrailing();
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
      String now = counts.takeMorePast() ? history() : text("now", CountsResponse.LAST_STEPS);
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
