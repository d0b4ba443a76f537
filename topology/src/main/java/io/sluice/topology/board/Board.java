package io.sluice.topology.board;

import io.sluice.topology.config.HttpConfig;
import io.sluice.topology.metrics.Health;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.web.Route;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** The parts of the API that show what goes on: the keys with most events, and the counts. */
public final class Board implements AutoCloseable {
  private final TopRoute tops;
  private final StreamRoute stream;

  private Board(TopRoute tops, StreamRoute stream) {
    this.tops = tops;
    this.stream = stream;
  }

  /**
   * Begins to look.
   *
   * @param others the addresses at which the other instances advertise that they answer
   */
  public static Board open(
      HttpConfig http,
      Instruments instruments,
      Health health,
      CurrentLimits limits,
      boolean usesRedis,
      Supplier<List<String>> others) {
    InstantSource clock = InstantSource.system();
    TopsHere here = new TopsHere(instruments.watch(), limits, clock);
    StreamText text = new StreamText(instruments, health, usesRedis, clock);
    return new Board(new TopRoute(here, new OtherInstances(http, others)), StreamRoute.open(text));
  }

  public List<Route> routes() {
    return List.of(tops, stream);
  }

  @Override
  public void close() {
    stream.close();
  }
}
