package io.sluice.spring.metering;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Bucket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The key of a bucket in the memory of this process, which is never long: callers may choose keys,
 * but not how much memory one takes. A long key is counted by its digest.
 */
final class ShortKey {
  static final int MOST_CHARACTERS = 512;

  private ShortKey() {}

  static List<Bucket> of(List<Bucket> buckets) {
    return buckets.stream().map(ShortKey::of).toList();
  }

  private static Bucket of(Bucket bucket) {
    if (bucket.key().length() <= MOST_CHARACTERS) return bucket;
    String digest = digest(bucket.key());
    return new Bucket(bucket.rule(), digest, digest, bucket.value());
  }

  private static String digest(String key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }
}
