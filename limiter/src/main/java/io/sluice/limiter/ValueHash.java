package io.sluice.limiter;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * 128-bit hash of a value, by which limits on distinct values compare values. A value can have
 * several parts.
 */
public record ValueHash(long high, long low) {
  /** Hash for an arrival without a value, under a rule that counts no distinct values. */
  public static final ValueHash NONE = new ValueHash(0, 0);

  /** Size of a hash in bytes. */
  public static final int BYTES = 2 * Long.BYTES;

  /**
   * Returns the hash of a value's parts. Each part is hashed with its length, so that "a", "bc"
   * differs from "ab", "c".
   */
  public static ValueHash of(List<String> parts) {
    MessageDigest sha = sha256();
    for (String each : parts) {
      ByteBuffer part = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * each.length());
      // UTF-16 keeps parts distinct that differ only in unpaired halves of surrogate pairs.
      part.putInt(each.length()).asCharBuffer().put(each);
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
