package io.sluice.cli.simulate;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The events of the keys with the most, in bounded memory. */
final class BusiestKeys {
  /*
   * While there is room every key is counted. When there is none, the half with the fewest events is
   * forgotten; one of them that becomes busy later starts anew, and what it had is not counted. What
   * is forgotten is little against what the busiest have, unless all keys are about as busy.
   */
  private static final int ROOM = 1 << 16;

  private static final Comparator<Map.Entry<Key, Tally>> MOST_FIRST =
      Comparator.<Map.Entry<Key, Tally>>comparingLong(entry -> -entry.getValue().events())
          .thenComparing(entry -> entry.getKey().limit())
          .thenComparing(entry -> entry.getKey().key());

  private final Map<Key, Tally> tallies = new HashMap<>();
  private boolean exact = true;

  /** A key, and the limit it is counted under. */
  record Key(String limit, String key) {}

  Tally tally(String limit, String key) {
    Key named = new Key(limit, key);
    Tally known = tallies.get(named);
    if (known != null) return known;
    if (tallies.size() == ROOM) forgetHalf();
    Tally tally = new Tally();
    tallies.put(named, tally);
    return tally;
  }

  private void forgetHalf() {
    exact = false;
    List<Key> least =
        tallies.entrySet().stream()
            .sorted(MOST_FIRST)
            .skip(ROOM / 2)
            .map(Map.Entry::getKey)
            .toList();
    tallies.keySet().removeAll(Set.copyOf(least));
  }

  /** Those with the most events, the most first. */
  List<Map.Entry<Key, Tally>> most(int count) {
    return tallies.entrySet().stream().sorted(MOST_FIRST).limit(count).toList();
  }

  /** Whether every key is counted. */
  boolean exact() {
    return exact;
  }
}
