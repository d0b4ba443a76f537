package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import java.util.stream.Stream;

/**
 * Nothing that was delayed is let go before the time that was announced, by the broker's clock when
 * it got the record. Where the record has its sender's timestamp, there is no evidence.
 */
final class NeverEarly implements Guarantee {
  @Override
  public long cases(History history) {
    return delayed(history).count();
  }

  @Override
  public String weakened(Modes modes) {
    return modes.exactlyOnce()
        ? ""
        : "at least once, an event may be announced for two times and leave at both, or come again"
            + " when Redis does not answer";
  }

  @Override
  public Stream<String> violations(History history) {
    return delayed(history)
        .filter(end -> end.record().timestamp() < dueMs(history, end))
        .map(
            end ->
                "%s came out at %d, %d ms before its time"
                    .formatted(
                        end,
                        end.record().timestamp(),
                        dueMs(history, end) - end.record().timestamp()));
  }

  private static long dueMs(History history, Kept end) {
    return history.modes().exactlyOnce()
        ? history.announcements().lastReleaseAtMs(end)
        : history.announcements().firstReleaseAtMs(end);
  }

  private static Stream<Kept> delayed(History history) {
    return Stream.concat(history.allowed().stream(), history.rejected().stream())
        .filter(end -> end.isTimedByBroker() && history.announcements().lastReleaseAtMs(end) > 0)
        .filter(end -> history.modes().exactlyOnce() || !mayBeWithoutRedis(history, end));
  }

  /** Whether what it came out by may be another answer than the one that was announced. */
  private static boolean mayBeWithoutRedis(History history, Kept end) {
    if (end.isWithoutRedis()) return true;
    boolean countsElsewhere = history.modes().withoutRedis() == Modes.WithoutRedis.STATE_STORE;
    return countsElsewhere && history.limits().isInRedis(end.event().action());
  }
}
