package io.sluice.topology.watch;

import static java.util.Comparator.comparing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys with most events, each with a lower and an upper bound on its number of events, since
 * the counts are approximate.
 *
 * @param keys in descending order of the lower bound if {@link #merged} or {@link #first} made it
 * @param othersAtMost upper bound on the number of events of any key that is not in the list
 * @param events number of all events, of listed and other keys
 * @param windowMs length of the time in which the events were counted, milliseconds
 */
public record Top(List<Heavy> keys, long othersAtMost, long events, long windowMs) {
  /** Largest number of keys in a merged list; each thread counts at most as many in a minute. */
  public static final int MOST = Sketch.CAPACITY;

  /**
   * A key of a limit, with a lower and an upper bound on its number of events.
   *
   * @param key text of the key; of a key longer than 100 characters, its beginning, an ellipsis and
   *     a digest
   */
  public record Heavy(String key, long atLeast, long atMost) {
    /** Whether the text of the key is shortened. */
    public boolean isCut() {
      return KeyText.isCut(key);
    }
  }

  public Top {
    keys = List.copyOf(keys);
  }

  /**
   * Merges the lists of several minutes, threads or instances: adds the bounds of each key, and
   * keeps the 256 keys with the highest lower bounds.
   */
  public static Top merged(List<Top> parts, long windowMs) {
    long others = 0;
    long events = 0;
    Map<String, Long> least = new HashMap<>();
    Map<String, Long> most = new HashMap<>();
    for (Top part : parts) {
      others = sum(others, part.othersAtMost);
      events = sum(events, part.events);
      for (Heavy each : part.keys) {
        least.merge(each.key, each.atLeast, Top::sum);
        most.merge(each.key, each.atMost - part.othersAtMost, Top::sum);
      }
    }
    long unlisted = others;
    List<Heavy> all = new ArrayList<>(least.size());
    least.forEach(
        (key, atLeast) ->
            all.add(new Heavy(key, atLeast, Math.max(atLeast, sum(most.get(key), unlisted)))));
    return new Top(all, unlisted, events, windowMs).first(MOST);
  }

  /** Returns a saturating sum, since counts that other instances report may be of any size. */
  private static long sum(long one, long other) {
    long sum = one + other;
    boolean overflows = ((one ^ sum) & (other ^ sum)) < 0;
    if (overflows) return one < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    return sum;
  }

  /**
   * Returns only the keys with the highest lower bounds; {@code othersAtMost} then also bounds the
   * events of the removed keys.
   */
  public Top first(int most) {
    List<Heavy> sorted =
        keys.stream()
            .sorted(
                comparing(Heavy::atLeast)
                    .thenComparing(Heavy::atMost)
                    .reversed()
                    .thenComparing(Heavy::key))
            .toList();
    long others = othersAtMost;
    for (int i = most; i < sorted.size(); i++) others = Math.max(others, sorted.get(i).atMost);
    return new Top(sorted.subList(0, Math.min(most, sorted.size())), others, events, windowMs);
  }
}
