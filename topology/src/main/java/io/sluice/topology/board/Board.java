package io.sluice.topology.board;

import io.sluice.topology.config.HttpConfig;
import io.sluice.topology.metrics.Health;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.watch.Top;
import io.sluice.topology.web.Route;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
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
   * The keys of limits that had most events of one verdict.
   *
   * @param by the verdict, such as {@code rejected}
   * @param limits those with most events first
   * @param answered the instances whose events are in it
   * @param unanswered the instances whose events are missing, and why
   */
  public record Report(
      String by,
      long asOfMs,
      List<OfLimit> limits,
      List<String> answered,
      Map<String, String> unanswered) {
    /**
     * The keys of one limit.
     *
     * @param shadow whether it only watches, and would have decided so
     * @param fields that its keys have, in their order
     * @param watched whether there was room for its keys, and not for its counts alone
     */
    public record OfLimit(
        String limit, boolean shadow, List<String> fields, boolean watched, Top top) {}

    /**
     * Reads what the API answers.
     *
     * @throws IllegalArgumentException if it is nothing of the kind, saying why in one line
     */
    public static Report read(byte[] json) {
      return ReportReader.read(json);
    }
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
