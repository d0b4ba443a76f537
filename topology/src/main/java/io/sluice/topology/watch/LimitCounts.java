package io.sluice.topology.watch;

import io.sluice.rules.limit.Verdict;
import java.util.EnumMap;
import java.util.Map;

/** Recent event counts of one limit, by verdict. One thread counts; others may read. */
final class LimitCounts {
  private final boolean hasKeys;
  private final Map<Verdict.Kind, Part> parts = new EnumMap<>(Verdict.Kind.class);

  /** Event counts of one verdict. Memory for keys is allocated with the first event. */
  static final class Part {
    final Counts counts = new Counts();
    volatile Slices keys = Slices.NONE;

    void count(String key, long nowMs) {
      Slices slices = keys;
      if (slices == Slices.NONE) {
        slices = new Slices();
        keys = slices;
      }
      slices.count(key, nowMs);
    }
  }

  /**
   * @param hasKeys whether events are also counted by key
   */
  LimitCounts(boolean hasKeys) {
    this.hasKeys = hasKeys;
    for (Verdict.Kind kind : Verdict.Kind.values()) parts.put(kind, new Part());
  }

  /** Counts an event without a key. */
  void count(Verdict.Kind kind, long nowMs) {
    part(kind).counts.count(nowMs);
  }

  void count(Verdict.Kind kind, String key, long nowMs) {
    count(kind, nowMs);
    if (hasKeys) part(kind).count(key, nowMs);
  }

  Part part(Verdict.Kind kind) {
    return parts.get(kind);
  }

  boolean hasKeys() {
    return hasKeys;
  }

  /** Whether its counts are too old to be shown. Only for the thread that counts. */
  boolean isIdle(long nowMs) {
    return parts.values().stream().allMatch(part -> part.counts.isIdle(nowMs));
  }
}
