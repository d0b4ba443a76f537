package io.sluice.topology.watch;

import io.sluice.topology.limit.Verdict;
import java.util.EnumMap;
import java.util.Map;

/** The last minutes of one limit, by verdict. For one thread that counts, and others that read. */
final class Row {
  private final boolean hasKeys;
  private final Map<Verdict.Kind, Part> parts = new EnumMap<>(Verdict.Kind.class);

  /** The events of one verdict. There are no keys before the first event. */
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
   * @param hasKeys whether there is room for its keys, too
   */
  Row(boolean hasKeys) {
    this.hasKeys = hasKeys;
    for (Verdict.Kind kind : Verdict.Kind.values()) parts.put(kind, new Part());
  }

  /** Counts an event that is nobody's in particular. */
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

  /** Whether nothing that it counted is shown any more. For the thread that counts. */
  boolean isIdle(long nowMs) {
    return parts.values().stream().allMatch(part -> part.counts.isIdle(nowMs));
  }
}
