package io.sluice.topology.change;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.web.Route;
import java.time.InstantSource;
import java.util.List;

/** The part of the API that changes limits, and shows how they were changed. */
public final class ChangeRoutes {
  /** Of the few threads that answer, most are left to others. */
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

  /** What changes limits; its path is also that of those who ask about limits. */
  public Route limits() {
    return limits;
  }

  /** The others, each with a path of its own. */
  public List<Route> others() {
    return others;
  }
}
