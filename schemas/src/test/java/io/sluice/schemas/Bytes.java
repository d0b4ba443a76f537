package io.sluice.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Builder of bytes that no encoder of actions would write. */
final class Bytes {
  private Bytes() {}

  interface Writing {
    void to(BinaryEncoder body) throws IOException;
  }

  /** Returns one byte for each character. */
  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns a bare body with the written content. */
  static byte[] body(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
      writing.to(encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Returns the body of a valid action whose attributes the caller writes. */
  static byte[] bodyWithAttributes(Writing attributes) {
    return body(
        out -> {
          out.writeString("e");
          out.writeString("u");
          out.writeString("post");
          out.writeLong(7);
          out.writeLong(1);
          out.writeIndex(0);
          attributes.to(out);
        });
  }

  /** Returns the body with the header that names this schema as the writer's. */
  static byte[] singleObject(Schema writer, byte[] body) {
    return ByteBuffer.allocate(10 + body.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 0xc3)
        .put((byte) 1)
        .putLong(SchemaNormalization.parsingFingerprint64(writer))
        .put(body)
        .array();
  }

  static byte[] singleObject(byte[] body) {
    return singleObject(UserAction.getClassSchema(), body);
  }
}
