package io.sluice.guarantees.evidence;

import io.sluice.guarantees.evidence.FaultLog.Lasted;
import io.sluice.guarantees.scenario.FaultKind;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Periods in which faults of some kinds disturbed the processing of events. */
public final class Disturbances {
  /** Kinds of faults that only concern the contents of input, or that nothing waits for. */
  private static final Set<FaultKind> HARMLESS =
      EnumSet.of(FaultKind.POISON, FaultKind.STEP_CLOCK, FaultKind.FLUSH_SCRIPTS);

  private static final Set<FaultKind> OF_REDIS =
      EnumSet.of(FaultKind.KILL_REDIS, FaultKind.FREEZE_REDIS, FaultKind.LOSE_REDIS);

  private final long[] fromMs;
  private final long[] toMs;

  private Disturbances(List<Lasted> faults, ToLongFunction<Lasted> untilMs) {
    fromMs = sorted(faults, Lasted::fromMs);
    toMs = sorted(faults, untilMs);
  }

  private static long[] sorted(List<Lasted> faults, ToLongFunction<Lasted> instant) {
    return faults.stream().mapToLong(instant).sorted().toArray();
  }

  /**
   * Returns the periods of all faults that may delay or repeat the processing of events.
   *
   * @param aftermathMs time in milliseconds for which the effect of a fault lasts after its end
   */
  public static Disturbances all(History history, long aftermathMs) {
    return allUntil(history, each -> each.toMs() + aftermathMs);
  }

  /**
   * Returns the periods of all faults that may delay or repeat the processing of events.
   *
   * @param untilMs returns the instant in epoch milliseconds at which the effect of a fault ends
   */
  public static Disturbances allUntil(History history, ToLongFunction<Lasted> untilMs) {
    return new Disturbances(of(history), untilMs);
  }

  /** Returns all faults that may delay or repeat the processing of events. */
  public static List<Lasted> of(History history) {
    return Stream.of(history.faults().lasted(), history.fences(), history.threadFailures())
        .flatMap(List::stream)
        .filter(each -> !HARMLESS.contains(each.kind()))
        .toList();
  }

  /**
   * Returns the periods in which Redis did not answer.
   *
   * @param aftermathMs time in milliseconds for which the effect of a fault lasts after its end
   */
  public static Disturbances ofRedis(History history, long aftermathMs) {
    return new Disturbances(
        history.faults().lasted().stream().filter(each -> OF_REDIS.contains(each.kind())).toList(),
        each -> each.toMs() + aftermathMs);
  }

  /** Returns the number of faults whose periods touch a time span, both ends inclusive. */
  public int touching(long spanFromMs, long spanToMs) {
    return notAfter(fromMs, spanToMs) - notAfter(toMs, spanFromMs - 1);
  }

  /** Returns how many of the sorted instants are at or before an instant. */
  private static int notAfter(long[] sorted, long ms) {
    int at = Arrays.binarySearch(sorted, ms);
    if (at < 0) return -at - 1;
    while (at < sorted.length && sorted[at] == ms) at++;
    return at;
  }
}
