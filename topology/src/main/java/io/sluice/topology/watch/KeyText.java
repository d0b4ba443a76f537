package io.sluice.topology.watch;

import io.sluice.limiter.ValueHash;
import java.security.SecureRandom;
import java.util.List;

/** Hash function for limit keys, which clients choose, and short forms of long keys. */
final class KeyText {
  /**
   * Largest length of a key that is stored whole, in characters. Of a longer key, its first 100
   * characters and a digest are stored, so that a key uses bounded memory.
   */
  static final int LONGEST = 100;

  private static final long ODD = 0x9E3779B97F4A7C15L;
  // Random hash seed for each process, so that clients cannot choose keys whose hashes collide.
  private static final long SEED = new SecureRandom().nextLong();

  private KeyText() {}

  static long hash(String key) {
    long hash = SEED ^ key.length() * ODD;
    int i = 0;
    for (int fours = key.length() - 3; i < fours; i += 4) {
      long four =
          key.charAt(i)
              | (long) key.charAt(i + 1) << 16
              | (long) key.charAt(i + 2) << 32
              | (long) key.charAt(i + 3) << 48;
      hash = mixed(hash ^ four);
    }
    for (; i < key.length(); i++) hash = mixed(hash ^ key.charAt(i));
    return hash ^ hash >>> 32;
  }

  private static long mixed(long hash) {
    long product = hash * ODD;
    return product ^ product >>> 29;
  }

  static String kept(String key) {
    if (key.length() <= LONGEST) return key;
    int end = Character.isHighSurrogate(key.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
    return key.substring(0, end) + "…" + digest(key);
  }

  private static String digest(String key) {
    return "%016x".formatted(ValueHash.of(List.of(key)).high());
  }

  static boolean isCut(String kept) {
    return kept.length() > LONGEST;
  }

  /**
   * Whether a key equals a stored key that has the same hash. Keys of more than 100 characters
   * count as equal if their hashes are equal.
   */
  static boolean same(String kept, String key) {
    return key.length() <= LONGEST ? kept.equals(key) : isCut(kept);
  }
}
