package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Kept;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Upper bounds of the times at which output records were in their topics: the record's own
 * timestamp if the broker set it, else the next timestamp that the broker set in the same
 * partition.
 */
final class LeftBy {
  private final Map<String, Long> leftMs = new HashMap<>();

  /**
   * @param outputs output records, ordered by offset within each partition
   */
  LeftBy(List<Kept> outputs) {
    Map<String, Long> next = new HashMap<>();
    for (int i = outputs.size() - 1; i >= 0; i--) {
      Kept each = outputs.get(i);
      if (each.isTimedByBroker()) next.put(each.place(), each.record().timestamp());
      leftMs.put(each.at(), next.getOrDefault(each.place(), Long.MAX_VALUE));
    }
  }

  long of(Kept output) {
    return leftMs.get(output.at());
  }
}
