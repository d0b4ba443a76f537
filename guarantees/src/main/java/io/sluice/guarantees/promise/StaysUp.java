package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.FaultLog.Lasted;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.scenario.FaultKind;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Guarantee that no instance ends by itself, continues with fewer stream threads or has one that is
 * too late to keep its partitions, unless the run caused this deliberately.
 */
final class StaysUp implements Guarantee {
  /** Faults that last long, or change only what is published, and make no thread late. */
  private static final Set<FaultKind> HARMLESS =
      EnumSet.of(
          FaultKind.POISON,
          FaultKind.STEP_CLOCK,
          FaultKind.LARGE,
          FaultKind.SHRINK_TOPIC,
          FaultKind.SPOIL_KEY,
          FaultKind.FLUSH_SCRIPTS);

  /** Time after a fault in which instances catch up, and partitions move. */
  private static final long AFTERMATH_MS = 60_000;

  @Override
  public long cases(History history) {
    return history.lives().starts();
  }

  @Override
  public Stream<String> violations(History history) {
    Stream<String> late =
        history.fences().stream()
            .filter(
                fence -> history.faults().lasted().stream().noneMatch(each -> near(each, fence)))
            .map(
                fence -> "a thread lost its partitions at %d, by no fault".formatted(fence.toMs()));
    return Stream.concat(history.lives().broken().stream(), late);
  }

  private static boolean near(Lasted fault, Lasted fence) {
    return !HARMLESS.contains(fault.kind())
        && fault.fromMs() <= fence.toMs()
        && fence.fromMs() <= fault.toMs() + AFTERMATH_MS;
  }
}
