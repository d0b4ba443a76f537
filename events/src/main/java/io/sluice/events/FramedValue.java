package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.event.UnreadableEventException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Value of a record that names its schema: by an id before the body, or by an id in a header of
 * Confluent's or Apicurio's serializers. The bytes must not be modified.
 */
final class FramedValue {
  private static final String CONFLUENT = "__value_schema_id";
  private static final String APICURIO_CONTENT = "apicurio.value.contentId";
  private static final String APICURIO_GLOBAL = "apicurio.value.globalId";
  private static final String APICURIO_TYPE = "apicurio.protobuf.type";
  private static final int GUID_BYTES = 2 * Long.BYTES;
  private static final int NUMBER = 0;
  private static final int GUID = 1;

  private final SchemaId id;
  private final byte[] bytes;
  private final int offset;
  private final MessageName message;

  /** Place in which the type of a Protobuf message is named. */
  private static final class MessageName {
    private static final MessageName BEFORE = new MessageName(true, new byte[0], "");

    private final boolean isBefore;
    private final byte[] indexes;
    private final String name;

    /**
     * @param isBefore whether the type is named before the body; the other two are empty then
     * @param indexes Confluent's message indexes in a header
     * @param name simple name of the type in a header
     */
    private MessageName(boolean isBefore, byte[] indexes, String name) {
      this.isBefore = isBefore;
      this.indexes = indexes;
      this.name = name;
    }
  }

  private FramedValue(SchemaId id, byte[] bytes, int offset, MessageName message) {
    this.id = id;
    this.bytes = bytes;
    this.offset = offset;
    this.message = message;
  }

  /**
   * Returns a value with a zero byte and the id of its schema before the body.
   *
   * @param idBytes number of bytes of the id: 4 or 8
   */
  static FramedValue ofPrefix(byte[] value, int idBytes) throws UnreadableEventException {
    if (value.length < 1 + idBytes) {
      throw new UnreadableEventException(
          "too short for Confluent's format: "
              + value.length
              + " bytes of at least "
              + (1 + idBytes));
    }
    ByteBuffer prefix = ByteBuffer.wrap(value, 1, idBytes);
    SchemaId id = idBytes == Long.BYTES ? id(prefix.getLong()) : id(prefix.getInt());
    return new FramedValue(id, value, 1 + idBytes, MessageName.BEFORE);
  }

  private static SchemaId id(int number) throws UnreadableEventException {
    // A schema registry answers a request for a negative id as if its URL were wrong.
    if (number >= 0) return SchemaId.of(number);
    throw noSuchId(Integer.toUnsignedString(number), Integer.MAX_VALUE);
  }

  private static SchemaId id(long number) throws UnreadableEventException {
    if (number >= 0) return SchemaId.of(number);
    throw noSuchId(Long.toUnsignedString(number), Long.MAX_VALUE);
  }

  private static UnreadableEventException noSuchId(String id, long highest) {
    return new UnreadableEventException(
        "not in Confluent's format: no schema has the id " + id + ", the highest is " + highest);
  }

  /** Returns a value whose schema a header names; empty if there is no such header. */
  static Optional<FramedValue> ofHeaders(Headers headers, byte[] value)
      throws UnreadableEventException {
    Header confluent = headers.lastHeader(CONFLUENT);
    if (confluent != null) return Optional.of(ofConfluent(confluent, value));
    Header content = headers.lastHeader(APICURIO_CONTENT);
    Header apicurio = content == null ? headers.lastHeader(APICURIO_GLOBAL) : content;
    if (apicurio == null) return Optional.empty();
    byte[] id = apicurio.value();
    if (id == null || id.length != Long.BYTES) throw malformed(apicurio, "8");
    Header type = headers.lastHeader(APICURIO_TYPE);
    String name = type == null || type.value() == null ? "" : new String(type.value(), UTF_8);
    return Optional.of(
        new FramedValue(
            id(ByteBuffer.wrap(id).getLong()),
            value,
            0,
            new MessageName(false, new byte[0], name)));
  }

  /** The header has the same bytes as a prefix, or a byte 01 and a GUID in place of the id. */
  private static FramedValue ofConfluent(Header header, byte[] value)
      throws UnreadableEventException {
    byte[] bytes = header.value();
    ByteBuffer left = ByteBuffer.wrap(bytes == null ? new byte[0] : bytes);
    int kind = left.hasRemaining() ? left.get() : -1;
    boolean isNumber = kind == NUMBER && left.remaining() >= Integer.BYTES;
    boolean isGuid = kind == GUID && left.remaining() >= GUID_BYTES;
    if (!isNumber && !isGuid) throw malformed(header, "5 or 17");
    SchemaId id =
        isNumber ? id(left.getInt()) : SchemaId.of(new UUID(left.getLong(), left.getLong()));
    byte[] indexes = new byte[left.remaining()];
    left.get(indexes);
    return new FramedValue(id, value, 0, new MessageName(false, indexes, ""));
  }

  private static UnreadableEventException malformed(Header header, String bytes) {
    int length = header.value() == null ? 0 : header.value().length;
    return new UnreadableEventException(
        "the header %s has no schema id: %s bytes are needed, not %d"
            .formatted(header.key(), bytes, length));
  }

  SchemaId id() {
    return id;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns the index of the first byte behind the id. */
  int offset() {
    return offset;
  }

  /** Returns the name that a header gives to the Protobuf message; empty if there is none. */
  String messageName() {
    return message.name;
  }

  /** Returns Confluent's message indexes in a header; empty if the header has none. */
  byte[] headerIndexes() {
    return message.indexes;
  }

  /** Whether message indexes are between the id and the body. */
  boolean hasIndexesBefore() {
    return message.isBefore;
  }
}
