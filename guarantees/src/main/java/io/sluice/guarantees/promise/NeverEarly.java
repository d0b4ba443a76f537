package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.stream.Stream;

/**
 * Guarantee that no delayed event leaves before its announced release time, by the broker's clock.
 * Only output records whose timestamp the broker set are checked.
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
        : "at least once, another try may have let it go at once; only what waited in the same try"
            + " counts";
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
        : dueInThisTryMs(history, end);
  }

  /**
   * Returns the release time that was announced for the attempt that gave the verdict, in epoch
   * milliseconds: from the record's own header at the first attempt, else from the announcement of
   * the attempt before; 0 if the attempt was not delayed.
   */
  private static long dueInThisTryMs(History history, Kept end) {
    long attempt = end.number(Verdicts.ATTEMPT);
    if (attempt <= 1) return end.number(Verdicts.RELEASE_AT);
    return history.announcements().of(end).stream()
        .filter(announced -> announced.number(Verdicts.ATTEMPT) == attempt - 1)
        .filter(announced -> announced.header(Verdicts.ESTIMATE).isEmpty())
        .mapToLong(announced -> announced.number(Verdicts.RELEASE_AT))
        .min()
        .orElse(0);
  }

  private static Stream<Kept> delayed(History history) {
    return Stream.concat(history.allowed().stream(), history.rejected().stream())
        .filter(end -> end.isTimedByBroker() && dueMs(history, end) > 0);
  }
}
