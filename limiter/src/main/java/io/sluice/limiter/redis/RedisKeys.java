package io.sluice.limiter.redis;

import io.sluice.limiter.Bucket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Names of Redis keys: {@code prefix:{tag}:limit:shape:key}. A Cluster places a key by the text in
 * its first braces, so all keys with one tag are in one slot, and one script reaches them.
 */
final class RedisKeys {
  private final String prefix;

  RedisKeys(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Returns the key of a bucket. Each part but the last is escaped, so different tags, limits,
   * shapes or keys have different names.
   */
  byte[] of(Bucket bucket) {
    return of(bucket, bucket.rule().algorithm().script().keyVersion());
  }

  private byte[] of(Bucket bucket, String shape) {
    boolean shared = bucket.rule().algorithm().admitsOnce(); // all keys of the limit share a key
    String tag = shared ? "" : bucket.tag();
    StringBuilder name = new StringBuilder(prefix).append(":{");
    // A Cluster ignores empty braces; escaping never produces a lone percent sign.
    if (tag.isEmpty()) name.append('%');
    escape(tag, "{}%", name);
    escape(bucket.rule().name(), ":%", name.append("}:"));
    name.append(':').append(shape);
    name.append(':').append(shared ? "" : bucket.key());
    return name.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the further keys of a sketch: of the union, which operators can count, and of the seven
   * sixths.
   */
  List<byte[]> ofSketch(Bucket bucket) {
    String version = bucket.rule().algorithm().script().keyVersion();
    return Stream.of("u", "0", "1", "2", "3", "4", "5", "6")
        .map(part -> of(bucket, version + part))
        .toList();
  }

  private static void escape(String text, String special, StringBuilder out) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (special.indexOf(c) < 0) out.append(c);
      else out.append('%').append(Integer.toHexString(c));
    }
  }

  /** Returns the i-th of a series of unused keys that are in different slots. */
  byte[] probe(int i) {
    return (prefix + ":{probe" + i + "}").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the key of the journal of a sequence, for arrivals with keys in this slot. The name
   * contains the format's version.
   */
  byte[] journal(String sequence, int place) {
    // The empty name cannot be that of a limit.
    String name = prefix + ":{" + SlotTags.of(place) + "}::journal3:" + sequence;
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the key that holds the number of a pipeline's last call. */
  String pipeline(String id) {
    return prefix + ":{pipeline-" + id + "}";
  }

  /** Returns the pattern of all keys, as operators and ACLs write it. */
  String family() {
    return prefix + ":*";
  }

  /** Returns a pattern for {@code SCAN} that matches all keys, and none with another prefix. */
  String pattern() {
    return prefix.replaceAll("([*?\\[\\]\\\\^])", "\\\\$1") + ":{*";
  }
}
