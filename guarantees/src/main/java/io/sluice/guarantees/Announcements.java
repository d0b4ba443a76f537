package io.sluice.guarantees;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the topic of delayed events says of each: when it leaves, and for how long it waits. */
final class Announcements {
  private final Map<Long, List<Kept>> ofEvent = new HashMap<>();
  private final int count;

  Announcements(List<Kept> delayed) {
    for (Kept each : delayed) {
      ofEvent.computeIfAbsent(each.number(), absent -> new ArrayList<>(1)).add(each);
    }
    count = delayed.size();
  }

  int count() {
    return count;
  }

  List<Kept> of(Kept output) {
    return ofEvent.getOrDefault(output.number(), List.of());
  }

  /** When it may leave at the earliest: after the last of the times announced; 0 if none was. */
  long releaseAtMs(Kept output) {
    long latestMs = 0;
    for (Kept each : of(output)) latestMs = Math.max(latestMs, each.number(Verdicts.RELEASE_AT));
    return latestMs;
  }

  /** How long after it was metered the slot is that was reserved for it; 0 if none was. */
  long reservedAfterMs(Kept output) {
    for (Kept each : of(output)) {
      if (each.header(Verdicts.RELEASE_TO).isEmpty()) return each.number(Verdicts.RETRY_AFTER);
    }
    return 0;
  }
}
