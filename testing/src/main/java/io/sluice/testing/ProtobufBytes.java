package io.sluice.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Encoder of Protobuf messages, field by field, which knows no schema. */
public final class ProtobufBytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  public ProtobufBytes varint(long number) {
    long left = number;
    for (; (left & ~0x7fL) != 0; left >>>= 7) bytes.write((int) (left & 0x7f) | 0x80);
    bytes.write((int) left);
    return this;
  }

  public ProtobufBytes tag(int number, int wireType) {
    return varint(((long) number << 3) | wireType);
  }

  /** Adds a field with a variable-length number. */
  public ProtobufBytes number(int field, long number) {
    return tag(field, 0).varint(number);
  }

  public ProtobufBytes zigzag(int field, long number) {
    return number(field, (number << 1) ^ (number >> 63));
  }

  public ProtobufBytes fixed32(int field, int number) {
    return tag(field, 5).little(number, 4);
  }

  public ProtobufBytes fixed64(int field, long number) {
    return tag(field, 1).little(number, 8);
  }

  private ProtobufBytes little(long number, int length) {
    for (int i = 0; i < length; i++) bytes.write((int) (number >>> (8 * i)));
    return this;
  }

  public ProtobufBytes text(int field, String text) {
    return bytes(field, text.getBytes(UTF_8));
  }

  public ProtobufBytes message(int field, ProtobufBytes message) {
    return bytes(field, message.toBytes());
  }

  public ProtobufBytes bytes(int field, byte[] content) {
    return tag(field, 2).varint(content.length).raw(content);
  }

  /** Adds an entry of a map with text as its key. */
  public ProtobufBytes entry(int field, String key, String value) {
    return message(field, new ProtobufBytes().text(1, key).text(2, value));
  }

  public ProtobufBytes raw(byte... content) {
    bytes.writeBytes(content);
    return this;
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }
}
