package io.sluice.guarantees.evidence;

import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Records of the topic of delayed events, by event. Each announces the time of a release or retry.
 */
public final class Announcements {
  private final Map<Long, List<Kept>> ofEvent = new HashMap<>();

  Announcements(List<Kept> delayed) {
    for (Kept each : delayed) {
      ofEvent.computeIfAbsent(each.number(), absent -> new ArrayList<>(1)).add(each);
    }
  }

  public List<Kept> of(Kept output) {
    return ofEvent.getOrDefault(output.number(), List.of());
  }

  private List<Long> releasesAtMs(Kept output) {
    return of(output).stream()
        .filter(each -> each.header(Verdicts.ESTIMATE).isEmpty())
        .map(each -> each.number(Verdicts.RELEASE_AT))
        .sorted()
        .toList();
  }

  /**
   * Returns the latest announced release time of an event, in epoch milliseconds; 0 if the event
   * was never delayed, or only waited in line, which has no certain time.
   */
  public long lastReleaseAtMs(Kept output) {
    List<Long> all = releasesAtMs(output);
    return all.isEmpty() ? 0 : all.get(all.size() - 1);
  }

  /** Whether a retry of the event was announced at the given attempt or a later one. */
  public boolean isRetriedFrom(Kept output, long attempt) {
    return of(output).stream()
        .filter(each -> !each.header(Verdicts.RELEASE_TO).isEmpty())
        .anyMatch(each -> each.number(Verdicts.ATTEMPT) >= attempt);
  }

  /** Returns the announced times of all retries of an event, in epoch milliseconds. */
  public List<Long> retriesAtMs(Kept output) {
    return of(output).stream()
        .filter(each -> !each.header(Verdicts.RELEASE_TO).isEmpty())
        .map(each -> each.number(Verdicts.RELEASE_AT))
        .toList();
  }

  /**
   * Whether the event had to wait until Redis was back, and was therefore metered after later
   * events.
   */
  public boolean isSetAside(Kept record) {
    return of(record).stream().anyMatch(Kept::isWithoutRedis);
  }

  /**
   * Returns the announced waits of an event from metering to its reserved slots, in milliseconds,
   * sorted; a list with only 0 if there are none.
   */
  public List<Long> reservedAfterMs(Kept output) {
    List<Long> waits =
        of(output).stream()
            .filter(each -> each.header(Verdicts.RELEASE_TO).isEmpty())
            .map(each -> each.number(Verdicts.RETRY_AFTER))
            .sorted()
            .toList();
    return waits.isEmpty() ? List.of(0L) : waits;
  }
}
