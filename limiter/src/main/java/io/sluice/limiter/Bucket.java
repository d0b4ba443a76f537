package io.sluice.limiter;

/**
 * A key under a rule: what is counted by itself, and an arrival is charged to.
 *
 * <p>Keys are stored in UTF-8, which cannot hold half of a surrogate pair: all texts with one would
 * become the same, and share a count. So such a text is refused.
 *
 * @param rule with all of its changes that are known, also where it is another one for this key
 *     alone: the bucket is the same, by whatever numbers it is judged
 * @param key what is counted together under the rule
 * @param tag a part of the key, or all of it: in a Redis Cluster, keys of one tag are on one node
 * @param value what the arrival brings, if distinct values are counted under the rule
 */
public record Bucket(Rule rule, String key, String tag, ValueHash value) {
  /**
   * @throws IllegalArgumentException if the key or the tag is no {@linkplain #isKey key}
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

  /** Whether a text can be a key: it holds no half of a surrogate pair. */
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
        "a key cannot hold half of a surrogate pair, which UTF-8 has no bytes for: "
            + PlainText.of(text));
  }
}
