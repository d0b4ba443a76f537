package io.sluice.limiter;

/**
 * Key under a rule: the unit that has its own count, and that arrivals are charged to.
 *
 * <p>Keys are stored in UTF-8, which cannot encode half of a surrogate pair. All texts with such a
 * half would become the same key and share a count, so they are refused.
 *
 * @param rule with all of its known changes. It can also be a rule for this key alone: the bucket
 *     stays the same, regardless of the numbers that it is judged by
 * @param key identifies the bucket under the rule
 * @param tag a part of the key, or all of it: in a Redis Cluster, keys with one tag are on one node
 * @param value hash of the value that the arrival brings, if the rule counts distinct values
 */
public record Bucket(Rule rule, String key, String tag, ValueHash value) {
  /**
   * @throws IllegalArgumentException if the key or the tag is not a {@linkplain #isKey key}
   */
  public Bucket {
    requireKey(key);
    if (!tag.equals(key)) requireKey(tag);
  }

  public Bucket(Rule rule, String key, String tag) {
    this(rule, key, tag, ValueHash.NONE);
  }

  public Bucket(Rule rule, String key) {
    this(rule, key, key);
  }

  /** Whether a text can be a key: it must not contain half of a surrogate pair. */
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
