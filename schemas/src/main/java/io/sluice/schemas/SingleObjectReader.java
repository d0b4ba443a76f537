package io.sluice.schemas;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * Reader of user actions in Avro's single-object encoding, for a known set of writer schemas.
 * Thread-safe.
 */
final class SingleObjectReader {
  /** Reader that knows every published schema of a user action. */
  static final SingleObjectReader PUBLISHED =
      new SingleObjectReader(PublishedSchemas.load("UserAction"));

  private static final int MARKER_BYTES = 2;
  static final int HEADER_BYTES = MARKER_BYTES + Long.BYTES;
  private static final VarHandle LITTLE_ENDIAN_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long currentFingerprint =
      SchemaNormalization.parsingFingerprint64(UserAction.getClassSchema());
  private final Map<Long, WriterSchema> writers = new HashMap<>();

  /** Creates a reader that knows these writer schemas and the current schema. */
  SingleObjectReader(Collection<Schema> writers) {
    for (Schema writer : writers) {
      this.writers.put(SchemaNormalization.parsingFingerprint64(writer), WriterSchema.of(writer));
    }
    this.writers.put(currentFingerprint, WriterSchema.of(UserAction.getClassSchema()));
  }

  UserAction decode(byte[] bytes, int offset, int length) {
    WriterSchema writer = writer(fingerprint(bytes, offset, length));
    return writer.decode(bytes, offset + HEADER_BYTES, length - HEADER_BYTES);
  }

  /**
   * Creates a view of an action, with the values that {@link #decode} reads. The current schema,
   * which nearly every event has, needs no look-up.
   */
  UserActionView view(byte[] bytes, int offset, int length) {
    long fingerprint = fingerprint(bytes, offset, length);
    int bodyOffset = offset + HEADER_BYTES;
    int bodyLength = length - HEADER_BYTES;
    return fingerprint == currentFingerprint
        ? UserActionView.ofBody(bytes, bodyOffset, bodyLength)
        : writer(fingerprint).view(bytes, bodyOffset, bodyLength);
  }

  private WriterSchema writer(long fingerprint) {
    WriterSchema writer = writers.get(fingerprint);
    if (writer == null) throw unknown(fingerprint);
    return writer;
  }

  static UndecodableException unknown(long fingerprint) {
    return new UndecodableException(
        String.format(
            "writer schema unknown: no published one has fingerprint %016x", fingerprint));
  }

  /** Returns the fingerprint of the writer schema from the header of the single-object encoding. */
  static long fingerprint(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length < HEADER_BYTES) {
      throw new UndecodableException(
          "too short for single-object encoding: " + length + " bytes of at least " + HEADER_BYTES);
    }
    if ((bytes[offset] & 0xff) != 0xc3 || bytes[offset + 1] != 1) {
      throw new UndecodableException(
          String.format(
              "not single-object encoding: begins with %02x %02x, not c3 01",
              bytes[offset], bytes[offset + 1]));
    }
    return (long) LITTLE_ENDIAN_LONG.get(bytes, offset + MARKER_BYTES);
  }
}
