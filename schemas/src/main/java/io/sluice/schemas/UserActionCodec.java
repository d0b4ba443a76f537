package io.sluice.schemas;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Encodes and decodes {@link UserAction}s in Avro's single-object encoding: {@code C3 01}, the
 * writer schema's CRC-64-AVRO fingerprint in 8 little-endian bytes, and the body in Avro's binary
 * encoding.
 *
 * <p>Compatible with every other implementation of the single-object encoding. Thread-safe.
 */
public final class UserActionCodec {
  private UserActionCodec() {}

  /**
   * Encodes an action with the current schema.
   *
   * @throws NullPointerException if a field other than {@code target} is null, which the builder of
   *     {@link UserAction} refuses and its constructors do not
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
