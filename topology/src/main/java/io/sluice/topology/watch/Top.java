package io.sluice.topology.watch;

import static java.util.Comparator.comparing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys with most events, with bounds on their numbers, since the counts are approximate.
 *
 * @param keys by their least number of events, highest first
 * @param othersAtMost the most events that any other key may have had
 * @param events number of all events, with any key
 * @param windowMs length of the time in which they were counted
 */
public record Top(List<Heavy> keys, long othersAtMost, long events, long windowMs) {
  /** Number of keys worth merging with those of other threads and instances. */
  public static final int MOST = Sketch.CAPACITY;

  /**
   * A key and bounds on its number of events.
   *
   * @param key the text; if longer than 100 characters, its beginning, an ellipsis and a digest
   */
  public record Heavy(String key, long atLeast, long atMost) {
    /** Whether the key is shortened. */
    public boolean isCut() {
      return KeyText.isCut(key);
    }
  }

  public Top {
    keys = List.copyOf(keys);
  }

  /** Merges counts of several minutes, threads or instances. */
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

  /** Saturating sum, since numbers from other instances may be of any size. */
  private static long sum(long one, long other) {
    long sum = one + other;
    boolean overflows = ((one ^ sum) & (other ^ sum)) < 0;
    if (overflows) return one < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    return sum;
  }

  /** Returns the first keys only; {@code othersAtMost} then covers the removed ones. */
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
