package io.sluice.cli.simulate;

import io.sluice.cli.common.Table;
import io.sluice.topology.simulation.SimulatedVerdict;
import java.util.ArrayList;
import java.util.List;

/**
 * A count of events by what became of them. One that was delayed is counted so, and when it is let
 * go as what became of it then.
 */
final class Tally {
  private long events;
  private long allowed;
  private long rejected;
  private long delayed;

  /** Takes in an event's first verdict. */
  void countFirst(SimulatedVerdict verdict) {
    events++;
    if (verdict.isDelayed()) delayed++;
    countLater(verdict);
  }

  /** Takes in a verdict on an event that was delayed. */
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
