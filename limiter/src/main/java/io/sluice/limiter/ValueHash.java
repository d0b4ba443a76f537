package io.sluice.limiter;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * A hash of a value in 128 bits, by which limits of distinct things tell it from others. The value
 * may be of several parts.
 */
public record ValueHash(long high, long low) {
  /** Of what has no value, because nothing distinct is counted. */
  public static final ValueHash NONE = new ValueHash(0, 0);

  /** The number of its bytes. */
  public static final int BYTES = 2 * Long.BYTES;

  /** A hash of these parts, each with its length: "a", "bc" are not "ab", "c". */
  public static ValueHash of(List<String> parts) {
    MessageDigest sha = sha256();
    for (String each : parts) {
      ByteBuffer part = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * each.length());
      part.putInt(each.length()).asCharBuffer().put(each); // no charset: broken pairs differ, too
      sha.update(part.array());
    }
    ByteBuffer digest = ByteBuffer.wrap(sha.digest());
    return new ValueHash(digest.getLong(), digest.getLong());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }
}
