package io.sluice.limiter.redis;

import io.sluice.limiter.Bucket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Names of Redis keys: {@code prefix:{tag}:limit:shape:key}, where the shape is the format of the
 * stored state. A Cluster computes a key's slot from the text in its first braces, so all keys with
 * one tag are in one slot, and one script reaches them.
 */
final class RedisKeys {
  private final String prefix;

  RedisKeys(String prefix) {
    this.prefix = prefix;
  }

  /**
   * Returns the name of the Redis key of a bucket. Tag and limit are escaped, so different tags,
   * limits, shapes or keys have different names.
   */
  byte[] of(Bucket bucket) {
    return of(bucket, bucket.rule().algorithm().script().keyVersion());
  }

  private byte[] of(Bucket bucket, String shape) {
    // With Bloom filters, all keys of a limit share one Redis key.
    boolean shared = bucket.rule().algorithm().admitsOnce();
    String tag = shared ? "" : bucket.tag();
    StringBuilder name = new StringBuilder(prefix).append(":{");
    // A Cluster ignores empty braces, so an empty tag becomes a percent sign, which escaping never
    // produces alone.
    if (tag.isEmpty()) name.append('%');
    escape(tag, "{}%", name);
    escape(bucket.rule().name(), ":%", name.append("}:"));
    name.append(':').append(shape);
    name.append(':').append(shared ? "" : bucket.key());
    return name.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the names of the further Redis keys of a HyperLogLog bucket: of the union of its sixths
   * of a period, which operators can count, and of the seven sixths.
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

  /**
   * Returns the name of the i-th of a series of unused Redis keys, which are spread over the hash
   * slots.
   */
  byte[] probe(int i) {
    return (prefix + ":{probe" + i + "}").getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the name of the Redis key with the journal (the earlier outcomes) of a sequence of
   * arrivals, for arrivals whose keys are in this slot. The name contains the version of the
   * journal's format.
   */
  byte[] journal(String sequence, int place) {
    // The name of a limit is never empty, so no key of a limit has an empty part at this place.
    String name = prefix + ":{" + SlotTags.BY_SLOT[place] + "}::journal3:" + sequence;
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Returns the name of the Redis key with the other queues that wait at a bucket, beside the
   * bucket's own key.
   */
  byte[] waitingAt(Bucket bucket) {
    return of(bucket, "w1");
  }

  /**
   * Returns the name of the Redis key with the owners of a queue, for releases whose keys are in
   * this slot. The names of the keys with the queue's releases begin with it.
   */
  byte[] queue(String queue, int place) {
    StringBuilder name = new StringBuilder(prefix).append(":{").append(SlotTags.BY_SLOT[place]);
    escape(queue, ":%", name.append("}::queue1:"));
    return name.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the name of the Redis key that holds the number of a pipeline's last call. */
  String pipeline(String id) {
    return prefix + ":{pipeline-" + id + "}";
  }

  /** Returns a pattern for all keys with this prefix, in the form that operators and ACLs use. */
  String family() {
    return prefix + ":*";
  }

  /**
   * Returns a pattern for {@code SCAN} that matches all keys with this prefix, and no keys with
   * another prefix.
   */
  String pattern() {
    return prefix.replaceAll("([*?\\[\\]\\\\^])", "\\\\$1") + ":{*";
  }

  /**
   * Table with a hash tag for every slot of a Cluster: a key with the tag is in the slot. Created
   * on first use, because it takes some hundred thousand checksums.
   */
  private static final class SlotTags {
    static final String[] BY_SLOT = new String[1 << 14];

    static {
      int left = BY_SLOT.length;
      for (int i = 0; left > 0; i++) {
        String tag = Integer.toString(i, Character.MAX_RADIX);
        int slot = JedisClusterCRC16.getSlot(tag);
        if (BY_SLOT[slot] != null) continue;
        BY_SLOT[slot] = tag;
        left--;
      }
    }
  }
}
