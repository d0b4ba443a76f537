package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Kept;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time by which each output was in its topic: its own if the broker timed it, else that of the
 * next behind it in its partition that the broker timed.
 */
final class LeftBy {
  private final Map<String, Long> leftMs = new HashMap<>();

  /**
   * @param outputs of each partition in order
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
