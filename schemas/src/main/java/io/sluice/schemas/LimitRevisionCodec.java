package io.sluice.schemas;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.DecoderFactory;

/**
 * Encodes and decodes {@link LimitRevision}s in Avro's single-object encoding, as {@link
 * UserActionCodec} does with actions. Thread-safe.
 */
public final class LimitRevisionCodec {
  private static final Map<Long, Writer> WRITERS = writers();

  private record Writer(Schema schema, DatumReader<LimitRevision> reader) {}

  private LimitRevisionCodec() {}

  private static Map<Long, Writer> writers() {
    Schema today = LimitRevision.getClassSchema();
    RecordModel<LimitRevision> model = new RecordModel<>(LimitRevision.class, today);
    Map<Long, Writer> writers = new HashMap<>();
    for (Schema schema : PublishedSchemas.load(today.getName())) {
      long fingerprint = SchemaNormalization.parsingFingerprint64(schema);
      writers.put(fingerprint, new Writer(schema, model.readerFrom(schema)));
    }
    return Map.copyOf(writers);
  }

  /** Encodes a revision with the current schema. */
  public static byte[] encode(LimitRevision revision) {
    try {
      ByteBuffer encoded = LimitRevision.getEncoder().encode(revision);
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (IOException e) {
      throw new UncheckedIOException("nothing is read or written but memory", e);
    }
  }

  /**
   * Decodes a revision that was written with any published schema, by Avro's rules of resolution.
   *
   * @throws UndecodableException if the bytes are not exactly one revision
   */
  public static LimitRevision decode(byte[] bytes) {
    long fingerprint = SingleObjectReader.fingerprint(bytes, 0, bytes.length);
    Writer writer = WRITERS.get(fingerprint);
    if (writer == null) throw SingleObjectReader.unknown(fingerprint);
    int offset = SingleObjectReader.HEADER_BYTES;
    int length = bytes.length - offset;
    // Checked first, because Avro's own reader accepts trailing bytes, malformed UTF-8 and wrong
    // block sizes.
    BodyCheck.check(writer.schema, new BodyCursor(bytes, offset, length));
    try {
      return writer.reader.read(
          null, DecoderFactory.get().binaryDecoder(bytes, offset, length, null));
    } catch (IOException | AvroRuntimeException e) {
      throw new UndecodableException("not readable as a LimitRevision: " + e.getMessage(), e);
    }
  }
}
