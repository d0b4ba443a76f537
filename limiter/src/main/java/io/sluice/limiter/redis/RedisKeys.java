package io.sluice.limiter.redis;

import io.sluice.limiter.Bucket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names of keys: {@code prefix:{tag}:limit:shape:key}. A Cluster places a key by what is
 * between the first braces, so all keys of one tag are in one place, and one script reaches them.
 */
final class RedisKeys {
  private final String prefix;

  RedisKeys(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Never the same for different tags, limits, shapes or keys: each part but the last is closed.
   */
  byte[] of(Bucket bucket) {
    return of(bucket, bucket.rule().algorithm().script().keyVersion());
  }

  private byte[] of(Bucket bucket, String shape) {
    boolean shared = bucket.rule().algorithm().admitsOnce(); // by all keys of the limit
    String tag = shared ? "" : bucket.tag();
    StringBuilder name = new StringBuilder(prefix).append(":{");
    // A Cluster ignores empty braces; a percent sign alone is nothing that escaping makes.
    if (tag.isEmpty()) name.append('%');
    escape(tag, "{}%", name);
    escape(bucket.rule().name(), ":%", name.append("}:"));
    name.append(':').append(shape);
    name.append(':').append(shared ? "" : bucket.key());
    return name.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Of a sketch, beside its own: the union, for people to count, and the seven sixths. */
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

  /** The i-th of some keys that hold nothing and are in different places. */
  byte[] probe(int i) {
    return (prefix + ":{probe" + i + "}").getBytes(StandardCharsets.UTF_8);
  }

  /** What arrivals of a sequence were answered that have their keys in this place; its version. */
  byte[] journal(String sequence, int place) {
    // No limit has an empty name.
    String name = prefix + ":{" + SlotTags.of(place) + "}::journal3:" + sequence;
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** The key of a pipeline's last call. */
  String pipeline(String id) {
    return prefix + ":{pipeline-" + id + "}";
  }

  /** All of them, as people and ACLs write it. */
  String family() {
    return prefix + ":*";
  }

  /** A pattern for {@code SCAN} that matches every key, and none under another prefix. */
  String pattern() {
    return prefix.replaceAll("([*?\\[\\]\\\\^])", "\\\\$1") + ":{*";
  }
}
