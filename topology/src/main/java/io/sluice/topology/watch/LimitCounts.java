package io.sluice.topology.watch;

import io.sluice.rules.limit.Verdict;
import java.util.EnumMap;
import java.util.Map;

/**
 * Event counts of one limit in the last quarter of an hour, by verdict. One thread counts; other
 * threads may read.
 */
final class LimitCounts {
  private final boolean hasKeys;
  private final Map<Verdict.Kind, Part> parts = new EnumMap<>(Verdict.Kind.class);

  /**
   * Event counts of one verdict of a limit. The counters by key are allocated when the first event
   * with a key is counted.
   */
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
   * @param hasKeys whether events are also counted by the limit's key
   */
  LimitCounts(boolean hasKeys) {
    this.hasKeys = hasKeys;
    for (Verdict.Kind kind : Verdict.Kind.values()) parts.put(kind, new Part());
  }

  /** Counts an event for the limit and the verdict, but not by key. */
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

  /**
   * Whether the limit had no event in the last quarter of an hour. Only the thread that counts may
   * call it.
   */
  boolean isIdle(long nowMs) {
    return parts.values().stream().allMatch(part -> part.counts.isIdle(nowMs));
  }
}
