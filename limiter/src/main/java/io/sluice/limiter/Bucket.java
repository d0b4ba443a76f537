package io.sluice.limiter;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Key under a rule: the unit that has its own count of used permits, and that arrivals are charged
 * to.
 *
 * <p>Keys are stored in UTF-8, which cannot encode an unpaired half of a surrogate pair. Texts that
 * differ only in such halves would become the same key and share a count, so texts with an unpaired
 * half are refused.
 *
 * @param rule rule with all of its known changes. It can be an override for this key alone, because
 *     only the rule's name and algorithm are part of the bucket's identity
 * @param key identifies the bucket under the rule
 * @param tag a part of the key, or all of it: a Redis Cluster stores keys with the same tag on the
 *     same node
 * @param value hash of the arrival's value, if the rule counts distinct values
 * @param more hashes of the arrival's further values, if it has several: each one is counted, and
 *     the arrival is admitted only if all of them conform together
 */
public record Bucket(Rule rule, String key, String tag, ValueHash value, List<ValueHash> more) {
  /** Largest number of values that an arrival can have, which bounds the work of one metering. */
  public static final int MOST_VALUES = 1_000;

  /**
   * @throws IllegalArgumentException if the key or the tag contains an unpaired half of a surrogate
   *     pair, or if there are too many values, or the same value twice
   */
  public Bucket {
    requireKey(key);
    if (!tag.equals(key)) requireKey(tag);
    more = List.copyOf(more);
    if (!more.isEmpty()) requireSeveral(value, more);
  }

  /** Creates a bucket for an arrival with one value. */
  public Bucket(Rule rule, String key, String tag, ValueHash value) {
    this(rule, key, tag, value, List.of());
  }

  public Bucket(Rule rule, String key, String tag) {
    this(rule, key, tag, ValueHash.NONE);
  }

  public Bucket(Rule rule, String key) {
    this(rule, key, key);
  }

  private static void requireSeveral(ValueHash value, List<ValueHash> more) {
    if (more.size() >= MOST_VALUES) {
      throw new IllegalArgumentException(
          "an arrival has at most " + MOST_VALUES + " values, not " + (more.size() + 1));
    }
    Set<ValueHash> all = new HashSet<>(more);
    if (all.size() < more.size() || all.contains(value)) {
      throw new IllegalArgumentException("the values of an arrival must differ");
    }
  }

  /**
   * Returns a bucket for an arrival with several values. A value that occurs again is left out.
   *
   * @param values at least one value
   */
  public static Bucket ofValues(Rule rule, String key, String tag, List<ValueHash> values) {
    List<ValueHash> all = List.copyOf(new LinkedHashSet<>(values));
    return new Bucket(rule, key, tag, all.get(0), all.subList(1, all.size()));
  }

  /** Returns the number of the arrival's values; 1 if the rule counts no distinct values. */
  public int valueCount() {
    return 1 + more.size();
  }

  /** Whether a text can be a key: it must not contain an unpaired half of a surrogate pair. */
  public static boolean isKey(String text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) continue;
      if (++i == length || !Character.isSurrogatePair(c, text.charAt(i))) return false;
    }
    return true;
  }

  static void requireKey(String text) {
    if (isKey(text)) return;
    throw new IllegalArgumentException(
        "a key cannot contain half of a surrogate pair, which UTF-8 cannot encode: "
            + PlainText.of(text));
  }
}
