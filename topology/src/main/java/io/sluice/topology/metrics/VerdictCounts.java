package io.sluice.topology.metrics;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts events by verdict and by the limit that decided. Safe for many threads. */
final class VerdictCounts implements Verdict.Tally {
  private final Row undecided =
      new Row(
          "events", "", "Verdicts, by the limit that decided; the limit is empty if none decided.");
  private final Map<String, Row> enforced = new ConcurrentHashMap<>();
  private final Map<String, Row> watching = new ConcurrentHashMap<>();
  private final Consumer<MetricDefinition> readings;

  /** Event counts of one limit by verdict, with the name of their metric. */
  private record Row(String name, String limit, String says, Map<Verdict.Kind, LongAdder> counts) {
    Row(String name, String limit, String says) {
      this(name, limit, says, new EnumMap<>(Verdict.Kind.class));
      for (Verdict.Kind kind : Verdict.Kind.values()) counts.put(kind, new LongAdder());
    }

    void count(Verdict.Kind kind) {
      counts.get(kind).increment();
    }
  }

  /**
   * @param limits limits that have metrics from the start
   * @param readings receives the metrics of each limit; of a further limit when it first decides
   */
  VerdictCounts(List<Limit> limits, Consumer<MetricDefinition> readings) {
    this.readings = readings;
    shown(undecided);
    for (Limit limit : limits) {
      if (limit.rule().shadow()) watching(limit.name());
      else enforced(limit.name());
    }
  }

  private Row enforced(String limit) {
    Row row = enforced.get(limit);
    if (row != null) return row;
    return enforced.computeIfAbsent(
        limit, name -> shown(new Row(undecided.name(), name, undecided.says())));
  }

  private Row watching(String limit) {
    Row row = watching.get(limit);
    if (row != null) return row;
    String says = "Verdicts of limits with mode=shadow, which are not enforced.";
    return watching.computeIfAbsent(limit, name -> shown(new Row("shadow-events", name, says)));
  }

  private Row shown(Row row) {
    row.counts.forEach(
        (kind, count) -> {
          Map<String, String> tags = Map.of("limit", row.limit, "verdict", kind.text);
          readings.accept(MetricDefinition.counter(row.name, row.says, tags, count::sum));
        });
    return row;
  }

  @Override
  public void undecided(Verdict.Kind kind) {
    undecided.count(kind);
  }

  @Override
  public void decided(Limit limit, Verdict.Kind kind) {
    Row row = limit.rule().shadow() ? undecided : enforced(limit.name());
    row.count(kind);
  }

  @Override
  public void watched(Limit limit, Verdict.Kind kind) {
    watching(limit.name()).count(kind);
  }

  /**
   * Returns the number of verdicts of one kind, decided by enforced limits or without a limit, but
   * not by limits in shadow mode.
   */
  long total(Verdict.Kind kind) {
    long total = undecided.counts.get(kind).sum();
    for (Row row : enforced.values()) total += row.counts.get(kind).sum();
    return total;
  }
}
