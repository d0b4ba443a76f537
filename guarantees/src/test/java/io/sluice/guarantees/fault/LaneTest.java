package io.sluice.guarantees.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.guarantees.evidence.FaultLog;
import io.sluice.guarantees.scenario.FaultKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaneTest {
  @TempDir private Path folder;

  private FaultLog end(Map<FaultKind, Fault> faults) throws InterruptedException {
    FaultLog log = FaultLog.in(folder);
    Lane lane =
        new Lane("a lane", faults, new SplittableRandom(1), new ReentrantReadWriteLock(), log);
    lane.finish();
    lane.start();
    lane.join();
    lane.requireWhole();
    return log;
  }

  @Test
  void itGoesOnAfterItsTimeUntilEachFaultHasHappenedOnce() throws InterruptedException {
    FaultLog log = end(Map.of(FaultKind.KILL, () -> true, FaultKind.POISON, () -> true));

    assertThat(log.count(FaultKind.KILL)).isEqualTo(1);
    assertThat(log.count(FaultKind.POISON)).isEqualTo(1);
  }

  @Test
  void aFaultWithoutEffectIsNotCountedAndComesAgain() throws InterruptedException {
    Iterator<Boolean> effects = List.of(false, false, true).iterator();
    FaultLog log = end(Map.of(FaultKind.SPOIL_KEY, effects::next));

    assertThat(log.count(FaultKind.SPOIL_KEY)).isEqualTo(1);
    assertThat(effects).isExhausted();
  }

  @Test
  void thoseThatHappenAloneComeFirst() throws InterruptedException {
    List<FaultKind> order = new ArrayList<>();
    Map<FaultKind, Fault> faults = new EnumMap<>(FaultKind.class);
    for (FaultKind kind : FaultKind.values()) faults.put(kind, () -> order.add(kind));
    end(faults);

    assertThat(order).containsExactlyInAnyOrder(FaultKind.values());
    assertThat(order.subList(0, 2)).allMatch(FaultKind::isAlone);
  }

  @Test
  void aFaultThatCannotBeMadeEndsTheRun() {
    Fault impossible =
        () -> {
          throw new IllegalStateException("no broker");
        };

    assertThatThrownBy(() -> end(Map.of(FaultKind.KILL, impossible)))
        .hasMessage("a lane failed")
        .hasRootCauseMessage("no broker");
  }
}
