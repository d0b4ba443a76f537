package io.sluice.server.ask;

import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.watch.Watch;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Factory of reports of the keys with most events on this instance. */
final class LocalReports {
  private final Watch watch;
  private final CurrentLimits limits;
  private final InstantSource clock;

  LocalReports(Watch watch, CurrentLimits limits, InstantSource clock) {
    this.watch = watch;
    this.limits = limits;
    this.clock = clock;
  }

  /** Returns the limits in force now, by name. */
  Map<String, Limit> inForce() {
    Map<String, Limit> byName = new LinkedHashMap<>();
    for (Limit each : limits.known().at(clock.millis()).all()) byName.put(each.name(), each);
    return byName;
  }

  Report report(List<Limit> of, Verdict.Kind by) {
    long nowMs = clock.millis();
    return new Report(
        by.text,
        nowMs,
        of.stream().map(limit -> top(limit, by, nowMs)).toList(),
        List.of(),
        Map.of());
  }

  private Report.OfLimit top(Limit limit, Verdict.Kind by, long nowMs) {
    boolean shadow = limit.rule().shadow();
    return new Report.OfLimit(
        limit.name(),
        shadow,
        limit.key().fields().stream().map(Field::toString).toList(),
        watch.hasKeys(limit.name(), shadow),
        watch.top(limit.name(), shadow, by, nowMs));
  }
}
