package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.PlainText;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts verdicts for the keys with the most events, in bounded memory. */
final class BusiestKeys {
  /*
   * Maximum number of keys with counts. When a new key would exceed it, the half with the fewest
   * events is dropped; a dropped key that becomes busy later starts at zero, and its earlier events
   * are lost. The error is small compared with the counts of the busiest keys, unless all keys are
   * about equally busy.
   */
  private static final int ROOM = 1 << 16;

  /** Maximum length in characters of a key in memory: an id may be as long as an event. */
  private static final int LONGEST = 100;

  private static final int SHOWN = 60;

  private static final Comparator<Map.Entry<Key, Tally>> MOST_FIRST =
      Comparator.<Map.Entry<Key, Tally>>comparingLong(entry -> -entry.getValue().events())
          .thenComparing(entry -> entry.getKey().limit())
          .thenComparing(entry -> entry.getKey().key())
          .thenComparing(entry -> entry.getKey().digest());

  private final Map<Key, Tally> tallies = new HashMap<>();
  private boolean exact = true;

  /**
   * Key of events, and the limit under which its events are counted.
   *
   * @param digest beginning of the SHA-256 of a key that was cut; empty for a whole key
   */
  record Key(String limit, String key, String digest) {
    private static Key of(String limit, String key) {
      if (key.length() <= LONGEST) return new Key(limit, key, "");
      return new Key(limit, key.substring(0, LONGEST), sha256(key));
    }

    /** Returns the text of the key for the summary. */
    String shown() {
      if (digest.isEmpty()) return key;
      return PlainText.of(key, SHOWN) + " (sha256 " + digest.substring(0, 8) + ")";
    }

    private static String sha256(String key) {
      try {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(sha256.digest(key.getBytes(UTF_8)), 0, 16);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has it", e);
      }
    }
  }

  Tally tally(String limit, String key) {
    Key named = Key.of(limit, key);
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

  /** Returns the {@code count} keys with the most events, in descending order of events. */
  List<Map.Entry<Key, Tally>> most(int count) {
    return tallies.entrySet().stream().sorted(MOST_FIRST).limit(count).toList();
  }

  /** Whether no key was dropped, so that all counts are exact. */
  boolean exact() {
    return exact;
  }
}
