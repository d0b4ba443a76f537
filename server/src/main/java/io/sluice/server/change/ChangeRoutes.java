package io.sluice.server.change;

import io.sluice.server.web.Route;
import io.sluice.topology.config.SluiceConfig;
import java.time.InstantSource;
import java.util.List;

/** API routes that change limits, and the route that shows earlier changes. */
public final class ChangeRoutes {
  /**
   * Maximum numbers of waiting requests for changes, and for the history. They are small, so that
   * most API threads stay free for other requests.
   */
  private static final int MOST_WAITING = 2;

  private static final int MOST_READING = 1;

  private final Route limits;
  private final List<Route> others;

  public ChangeRoutes(SluiceConfig config, InstantSource clock) {
    TopicCalls writing = new TopicCalls(config, clock, MOST_WAITING);
    limits = new LimitWrites(writing);
    others =
        List.of(
            new UndoRoute(writing), new HistoryRoute(new TopicCalls(config, clock, MOST_READING)));
  }

  /** Returns the route for changes of limits. Its path is also the path of queries about limits. */
  public Route limits() {
    return limits;
  }

  /** Returns the routes for undoing revisions and for the history, each with its own path. */
  public List<Route> others() {
    return others;
  }
}
