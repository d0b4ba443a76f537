package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.CancelLog;
import io.sluice.guarantees.evidence.CancelLog.Given;
import io.sluice.guarantees.evidence.Disturbances;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.scenario.Modes;
import java.util.stream.Stream;

/**
 * Guarantee that an event in line that an order has named ends as cancelled, unless it leaves
 * before its partition has read the order. An event that no order has named is never cancelled: see
 * {@link NothingLost}.
 */
final class CancelKept implements Guarantee {
  /*
   * A partition reads an order after the input before it. So an event must be cancelled after the
   * partition has been at work for some seconds, which are counted by its activity: more if there
   * was a fault, because then it may have to catch up.
   */
  private static final long AT_WORK_S = 5;

  private static final long AT_WORK_AFTER_FAULT_S = 30;
  private static final long BEFORE_MS = 1_000;

  @Override
  public String weakened(Modes modes) {
    return modes.exactlyOnce() ? "" : "at least once, an event may come and leave several times";
  }

  /** Returns the number of events that ended as cancelled. */
  @Override
  public long cases(History history) {
    return history.modes().exactlyOnce() ? new Cancels(history).cancelled().count() : 0;
  }

  @Override
  public Stream<String> violations(History history) {
    if (!history.modes().exactlyOnce()) return Stream.of();
    Cancels cancels = new Cancels(history);
    TimesInLine times = new TimesInLine(history);
    Disturbances faults = Disturbances.all(history, AT_WORK_AFTER_FAULT_S * 1_000);
    return times.all().stream()
        .filter(each -> each.waited() && each.allowed())
        .flatMap(
            each ->
                cancels.naming(each.event()).stream()
                    .filter(given -> isUnheeded(given, each, times, faults))
                    .map(given -> text(given, each))
                    .limit(1));
  }

  private static boolean isUnheeded(
      Given given, TimeInLine event, TimesInLine times, Disturbances faults) {
    boolean waited =
        given.publishedMs() != CancelLog.NEVER && event.cameMs() <= given.atMs() - BEFORE_MS;
    if (!waited || event.leftMs() <= given.publishedMs()) return false;
    boolean isCalm = faults.touching(given.atMs(), event.leftMs()) == 0;
    long atWork =
        times.activeMs(event.home()).subSet(given.publishedMs(), event.leftMs()).stream()
            .map(ms -> ms / 1_000)
            .distinct()
            .count();
    return atWork > (isCalm ? AT_WORK_S : AT_WORK_AFTER_FAULT_S);
  }

  private static String text(Given given, TimeInLine event) {
    return "%s waited from %d, and was released at %d, though an order of %d, published at %d, had cancelled %s"
        .formatted(
            event.input(),
            event.cameMs(),
            event.leftMs(),
            given.atMs(),
            given.publishedMs(),
            given.order().event().isEmpty() ? "all of its user" : "it");
  }
}
