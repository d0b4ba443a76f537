package io.sluice.topology.ask;

import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.Monitoring;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.web.Route;
import java.time.InstantSource;
import java.util.List;

/** The parts of the API that show what goes on: the keys with most events, and the counts. */
final class Board implements AutoCloseable {
  private final TopRoute tops;
  private final StreamRoute stream;

  private Board(TopRoute tops, StreamRoute stream) {
    this.tops = tops;
    this.stream = stream;
  }

  /** Begins to look. */
  static Board open(
      Monitoring monitoring,
      CurrentLimits limits,
      boolean usesRedis,
      OtherInstances others,
      InstantSource clock) {
    Instruments instruments = monitoring.instruments();
    TopsHere here = new TopsHere(instruments.watch(), limits, clock);
    StreamText text = new StreamText(instruments, monitoring.health(), usesRedis, clock);
    return new Board(new TopRoute(here, others), StreamRoute.open(text));
  }

  List<Route> routes() {
    return List.of(tops, stream);
  }

  @Override
  public void close() {
    stream.close();
  }
}
