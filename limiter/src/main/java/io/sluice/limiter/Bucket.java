package io.sluice.limiter;

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
 */
public record Bucket(Rule rule, String key, String tag, ValueHash value) {
  /**
   * @throws IllegalArgumentException if the key or the tag contains an unpaired half of a surrogate
   *     pair
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
