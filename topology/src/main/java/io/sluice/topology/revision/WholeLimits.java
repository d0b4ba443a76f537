package io.sluice.topology.revision;

import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The limits as wholes over time. Immutable. */
final class WholeLimits {
  private final Map<String, Timeline> timelines;
  private final long[] fromMs;
  private final Limits[] inForce;

  private WholeLimits(Limits configured, Map<String, Timeline> timelines) {
    this.timelines = timelines;
    TreeSet<Long> cuts = new TreeSet<>(List.of(Long.MIN_VALUE));
    for (Timeline each : timelines.values()) for (long cut : each.cuts()) cuts.add(cut);
    fromMs = cuts.stream().mapToLong(Long::longValue).toArray();
    inForce = new Limits[fromMs.length];
    List<Limit> last = List.of();
    for (int i = 0; i < fromMs.length; i++) {
      List<Limit> now = at(fromMs[i], timelines.values());
      inForce[i] = i > 0 && now.equals(last) ? inForce[i - 1] : configured.with(now);
      last = now;
    }
  }

  /**
   * @param timelines of all limits that there ever are, in the order in which they are listed
   */
  static WholeLimits of(Limits configured, Map<String, Timeline> timelines) {
    return new WholeLimits(configured, timelines);
  }

  /** The same if nothing of this has changed. */
  WholeLimits having(Limits configured, Map<String, Timeline> others) {
    boolean same =
        others.size() == timelines.size()
            && others.entrySet().stream()
                .allMatch(each -> timelines.get(each.getKey()) == each.getValue());
    return same ? this : new WholeLimits(configured, others);
  }

  private static List<Limit> at(long ms, Collection<Timeline> timelines) {
    List<Limit> limits = new ArrayList<>();
    for (Timeline each : timelines) {
      InForce now = each.at(ms);
      if (now.isEnabled()) limits.add(now.limit());
    }
    return limits;
  }

  Limits at(long ms) {
    int found = Arrays.binarySearch(fromMs, ms);
    return inForce[found < 0 ? -found - 2 : found];
  }
}
