package io.sluice.topology.metrics;

import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The numbers of events by verdict and by limit. Safe for many threads. */
final class VerdictCounts implements Verdict.Tally {
  private final Row undecided =
      new Row(
          "events", "", "Verdicts, by the limit that decided; the limit is empty if none decided.");
  private final List<Row> rows = new ArrayList<>(List.of(undecided));
  private final IdentityHashMap<Limit, Row> enforced = new IdentityHashMap<>();
  private final IdentityHashMap<Limit, Row> watching = new IdentityHashMap<>();

  /** The counts of one limit. */
  private record Row(String name, String limit, String says, Map<Verdict.Kind, LongAdder> counts) {
    Row(String name, String limit, String says) {
      this(name, limit, says, new EnumMap<>(Verdict.Kind.class));
      for (Verdict.Kind kind : Verdict.Kind.values()) counts.put(kind, new LongAdder());
    }

    void count(Verdict.Kind kind) {
      counts.get(kind).increment();
    }
  }

  VerdictCounts(List<Limit> limits) {
    for (Limit limit : limits) {
      boolean shadow = limit.rule().shadow();
      Row row =
          shadow
              ? new Row(
                  "shadow-events",
                  limit.name(),
                  "Verdicts of limits with mode=shadow, which are not enforced.")
              : new Row(undecided.name(), limit.name(), undecided.says());
      rows.add(row);
      (shadow ? watching : enforced).put(limit, row);
    }
  }

  @Override
  public void undecided(Verdict.Kind kind) {
    undecided.count(kind);
  }

  @Override
  public void decided(Limit limit, Verdict.Kind kind) {
    enforced.getOrDefault(limit, undecided).count(kind);
  }

  @Override
  public void watched(Limit limit, Verdict.Kind kind) {
    watching.get(limit).count(kind);
  }

  /** Those of one kind, from whichever limit that acts, or from none. */
  long total(Verdict.Kind kind) {
    long total = undecided.counts.get(kind).sum();
    for (Row row : enforced.values()) total += row.counts.get(kind).sum();
    return total;
  }

  void readings(Consumer<MetricDefinition> to) {
    for (Row row : rows) {
      row.counts.forEach(
          (kind, count) -> {
            Map<String, String> tags = Map.of("limit", row.limit, "verdict", kind.text);
            to.accept(MetricDefinition.counter(row.name, row.says, tags, count::sum));
          });
    }
  }
}
