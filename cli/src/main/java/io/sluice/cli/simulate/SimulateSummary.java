package io.sluice.cli.simulate;

import io.sluice.cli.common.Table;
import io.sluice.topology.metrics.MissingKeys.KeyShare;
import io.sluice.topology.simulation.SimulatedVerdict;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers of events by verdict in a simulation: for each limit, and for the keys with the most
 * events.
 */
final class SimulateSummary {
  private static final int BUSIEST = 5;
  private static final String NO_LIMIT = "(none)";

  /**
   * Label of the table row with the total; its parentheses distinguish it from the name of a limit.
   */
  private static final String ALL = "(all)";

  private final InstantSource clock = InstantSource.system();
  private final long beganMs = clock.millis();
  private final Map<String, Tally> limits = new TreeMap<>();
  private final Tally all = new Tally();
  private final BusiestKeys keys = new BusiestKeys();
  private final Map<Long, List<Tally>> waiting = new HashMap<>();
  private long badLines;
  private long passedOn;
  private long dropped;

  /**
   * Counts an event at its first verdict. For a delayed event, also counts the later verdict,
   * without counting the event again.
   */
  void count(SimulatedVerdict verdict) {
    List<Tally> tallies = waiting.remove(verdict.number());
    if (tallies == null) {
      tallies = tallies(verdict);
      for (Tally tally : tallies) tally.countFirst(verdict);
    } else {
      for (Tally tally : tallies) tally.countLater(verdict);
    }
    if (verdict.isDelayed()) waiting.put(verdict.number(), tallies);
  }

  private List<Tally> tallies(SimulatedVerdict verdict) {
    String limit = verdict.limit().isEmpty() ? NO_LIMIT : verdict.limit();
    Tally ofLimit = limits.computeIfAbsent(limit, name -> new Tally());
    return List.of(all, ofLimit, keys.tally(limit, verdict.key()));
  }

  void countBadLine() {
    badLines++;
  }

  /** Counts a record that is not an event and leaves without metering. */
  void countPassedOn() {
    passedOn++;
  }

  /** Counts a record that is not an event and is dropped. */
  void countDropped() {
    dropped++;
  }

  long events() {
    return all.events();
  }

  /** Returns the number of entries of the input that were not events. */
  long badLines() {
    return badLines;
  }

  /**
   * Prints the duration, the rate and the tables.
   *
   * @param noun word for an entry of the input, such as "line"
   * @param missingKeys limits whose events have lacked a field of the key
   */
  void print(PrintWriter err, String noun, List<KeyShare> missingKeys) {
    Duration took = Duration.ofMillis(Math.max(1, clock.millis() - beganMs));
    long perSecond = events() * 1_000 / took.toMillis();
    err.printf(
        "%s in %.1f s, %,d a second", counted(events(), "event"), took.toMillis() / 1e3, perSecond);
    err.print(badLines == 0 ? "" : "; " + counted(badLines, "bad " + noun));
    err.print(passedOn == 0 ? "" : "; %s passed on unmetered".formatted(counted(passedOn, noun)));
    err.println(dropped == 0 ? "" : "; %s dropped".formatted(counted(dropped, noun)));
    if (events() > 0) {
      err.println();
      printLimits(err);
      for (KeyShare each : missingKeys) {
        err.printf(
            "key missing: %,d of %s (limit %s)%n",
            each.missing(), counted(each.events(), "event"), each.limit());
      }
      err.println();
      printKeys(err);
    }
    err.flush();
  }

  private static String counted(long count, String noun) {
    return "%,d %s%s".formatted(count, noun, count == 1 ? "" : "s");
  }

  private void printLimits(PrintWriter err) {
    Table table = new Table().row("limit", "events", "allowed", "rejected", "delayed");
    limits.forEach((limit, tally) -> tally.addTo(table, limit));
    if (limits.size() > 1) all.addTo(table, ALL);
    table.print(err);
  }

  private void printKeys(PrintWriter err) {
    Table table = new Table().row("busiest", "limit", "events", "allowed", "rejected", "delayed");
    for (Map.Entry<BusiestKeys.Key, Tally> each : keys.most(BUSIEST)) {
      each.getValue().addTo(table, each.getKey().shown(), each.getKey().limit());
    }
    table.print(err);
    if (!keys.exact()) err.println("(approximate: there are too many keys to count each)");
  }
}
