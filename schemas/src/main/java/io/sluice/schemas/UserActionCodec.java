package io.sluice.schemas;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * The codec of whole {@link UserAction}s in Avro's single-object encoding: {@code C3 01}, the
 * writer schema's CRC-64-AVRO fingerprint in 8 little-endian bytes, the body.
 *
 * <p>Any implementation of that encoding can read what this writes, and the other way round.
 * Thread-safe.
 */
public final class UserActionCodec {
  private UserActionCodec() {}

  /**
   * Encodes an action with today's schema.
   *
   * @throws NullPointerException if a field other than {@code target} is null, which it is only in
   *     an action made by the constructors; the builder refuses it
   */
  public static byte[] encode(UserAction action) {
    try {
      ByteBuffer encoded = UserAction.getEncoder().encode(action);
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is read or written but memory", e);
    }
  }

  /**
   * Decodes an action that was written with any published schema, by Avro's rules of resolution.
   *
   * @throws UndecodableException if the bytes are not exactly one action
   */
  public static UserAction decode(byte[] bytes) {
    return SingleObjectReader.PUBLISHED.decode(bytes, 0, bytes.length);
  }
}
