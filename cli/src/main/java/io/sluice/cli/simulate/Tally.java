package io.sluice.cli.simulate;

import io.sluice.cli.common.Table;
import io.sluice.topology.simulation.SimulatedVerdict;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts events by verdict. A delayed event is counted as delayed, and after its release also as
 * allowed or rejected.
 */
final class Tally {
  private long events;
  private long allowed;
  private long rejected;
  private long delayed;

  /** Counts an event with its first verdict. */
  void countFirst(SimulatedVerdict verdict) {
    events++;
    if (verdict.isDelayed()) delayed++;
    countLater(verdict);
  }

  /** Counts the verdict on a delayed event after its release, without counting the event again. */
  void countLater(SimulatedVerdict verdict) {
    if (verdict.isAllowed()) allowed++;
    if (verdict.isRejected()) rejected++;
  }

  long events() {
    return events;
  }

  void addTo(Table table, String... names) {
    List<Object> row = new ArrayList<>(List.of((Object[]) names));
    row.addAll(List.of(events, allowed, rejected, delayed));
    table.row(row.toArray());
  }
}
