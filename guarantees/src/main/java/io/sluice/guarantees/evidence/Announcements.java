package io.sluice.guarantees.evidence;

import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The announcements in the topic of delayed events: when each leaves, and for how long it waits.
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
    return of(output).stream().map(each -> each.number(Verdicts.RELEASE_AT)).sorted().toList();
  }

  /** When it may leave at the earliest, if each time counts that was announced; 0 if none was. */
  public long lastReleaseAtMs(Kept output) {
    List<Long> all = releasesAtMs(output);
    return all.isEmpty() ? 0 : all.get(all.size() - 1);
  }

  /** Whether an attempt from this one on was to be followed by another. */
  public boolean isRetriedFrom(Kept output, long attempt) {
    return of(output).stream()
        .filter(each -> !each.header(Verdicts.RELEASE_TO).isEmpty())
        .anyMatch(each -> each.number(Verdicts.ATTEMPT) >= attempt);
  }

  /** When it was to be tried again. */
  public List<Long> retriesAtMs(Kept output) {
    return of(output).stream()
        .filter(each -> !each.header(Verdicts.RELEASE_TO).isEmpty())
        .map(each -> each.number(Verdicts.RELEASE_AT))
        .toList();
  }

  /** Whether it was to be metered when Redis was back, behind events that came later. */
  public boolean isSetAside(Kept record) {
    return of(record).stream().anyMatch(Kept::isWithoutRedis);
  }

  /** How long after it was judged the slots are that were reserved for it, in order; or just 0. */
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
