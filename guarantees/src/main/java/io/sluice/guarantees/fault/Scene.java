package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Bed;
import io.sluice.guarantees.evidence.Diary;
import io.sluice.guarantees.evidence.FaultLog;
import io.sluice.guarantees.evidence.Lives;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.traffic.Planner;
import io.sluice.guarantees.traffic.Publisher;

/** Parts of a test run that faults act on: processes, published events and changes of limits. */
public record Scene(Modes modes, Bed bed, Publisher publisher, Planner planner, Diary diary) {
  FaultLog faults() {
    return bed.notes().faults();
  }

  Lives lives() {
    return bed.notes().lives();
  }

  String brokers() {
    return bed.broker().bootstrapServers();
  }
}
