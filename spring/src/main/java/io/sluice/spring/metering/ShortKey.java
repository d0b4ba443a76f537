package io.sluice.spring.metering;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Bucket;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.revision.Scope;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Shortens the key of a bucket (a count) for the memory of this process, since callers may choose
 * long keys: each long value in the key is replaced by its SHA-256. Revisions (dated changes of
 * limits) cannot apply to such long values, so the short key finds the same rule.
 */
final class ShortKey {
  private ShortKey() {}

  /**
   * Returns the bucket with its short key.
   *
   * @param key names of the key fields of the bucket's limit
   */
  static Bucket of(Bucket bucket, LimitKey key) {
    if (bucket.key().length() <= Scope.LONGEST_VALUE) return bucket;
    List<String> values = key.values(bucket.key()).stream().map(ShortKey::value).toList();
    String text = key.of(key.event(values));
    return new Bucket(bucket.rule(), text, text, bucket.value(), bucket.more());
  }

  private static String value(String value) {
    return value.length() <= Scope.LONGEST_VALUE ? value : digest(value);
  }

  private static String digest(String value) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(value.getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has SHA-256
    }
  }
}
