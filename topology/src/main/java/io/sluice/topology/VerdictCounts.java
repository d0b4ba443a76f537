package io.sluice.topology;

import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** How many events got which verdict, and from which limit. Safe for many threads. */
final class VerdictCounts {
  private final List<Limit> limits;
  private final Map<Verdict.Kind, LongAdder> unlimited = adders();
  private final IdentityHashMap<Limit, Map<Verdict.Kind, LongAdder>> byLimit =
      new IdentityHashMap<>();

  VerdictCounts(List<Limit> limits) {
    this.limits = limits;
    for (Limit limit : limits) byLimit.put(limit, adders());
  }

  private static Map<Verdict.Kind, LongAdder> adders() {
    Map<Verdict.Kind, LongAdder> adders = new EnumMap<>(Verdict.Kind.class);
    for (Verdict.Kind kind : Verdict.Kind.values()) adders.put(kind, new LongAdder());
    return adders;
  }

  /** On the way of every event: looks nothing up by name, and allocates nothing. */
  void count(Verdict verdict) {
    List<Ruling> deciding = verdict.deciding();
    Map<Verdict.Kind, LongAdder> counts =
        deciding.isEmpty() ? unlimited : byLimit.get(deciding.get(0).limit());
    counts.get(verdict.kind()).increment();
    List<Ruling> shadows = verdict.shadows();
    for (int i = 0; i < shadows.size(); i++) {
      Ruling shadow = shadows.get(i);
      byLimit.get(shadow.limit()).get(shadow.kind()).increment();
    }
  }

  void readings(Consumer<Reading> to) {
    read("events", "", unlimited, to);
    for (Limit limit : limits) {
      String name = limit.rule().shadow() ? "shadow-events" : "events";
      read(name, limit.name(), byLimit.get(limit), to);
    }
  }

  private static void read(
      String name, String limit, Map<Verdict.Kind, LongAdder> counts, Consumer<Reading> to) {
    String says =
        name.equals("events")
            ? "Verdicts, by the limit that decided; none if no limit did."
            : "What limits that only watch would have done.";
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      Map<String, String> tags = Map.of("limit", limit, "verdict", kind.text);
      to.accept(Reading.counter(name, says, tags, counts.get(kind)::sum));
    }
  }
}
