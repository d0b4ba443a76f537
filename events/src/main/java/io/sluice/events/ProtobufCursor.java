package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schemas.UndecodableException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/**
 * Cursor in a part of a byte array with Protobuf's encoding; it reads nothing outside that part. A
 * length is accepted only if the part has enough bytes for it, so time and allocated memory are
 * bounded by the size of the part. Not thread-safe.
 */
final class ProtobufCursor {
  static final int VARINT = 0;
  static final int FIXED64 = 1;
  static final int LENGTH = 2;
  static final int FIXED32 = 5;
  private static final int GROUP = 3;
  private static final int END_OF_GROUP = 4;
  private static final int WIRE_TYPE_BITS = 3;
  private static final int LAST_SHIFT = 63;
  private static final long LAST_TAG = 0xffff_ffffL;

  /** Deepest nesting of groups, as in Protobuf's own readers. */
  private static final int DEEPEST_GROUP = 100;

  private final byte[] bytes;
  private final int end;
  private int position;

  ProtobufCursor(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.end = end;
    position = from;
  }

  boolean hasMore() {
    return position < end;
  }

  int position() {
    return position;
  }

  void moveTo(int index) {
    position = index;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Reads a variable-length number of at most 10 bytes, of which 64 bits count. */
  long varint() {
    long number = 0;
    for (int shift = 0; shift <= LAST_SHIFT; shift += 7) {
      if (position == end) throw new UndecodableException("the bytes end inside a number");
      byte group = bytes[position++];
      number |= (group & 0x7fL) << shift;
      if (group >= 0) return number;
    }
    throw new UndecodableException("a number of more than 10 bytes");
  }

  /** Reads a tag, which is the number of a field and a wire type. */
  int tag() {
    long tag = varint();
    if (tag < 0 || tag > LAST_TAG || number((int) tag) == 0) {
      throw new UndecodableException("no field has the tag " + Long.toUnsignedString(tag));
    }
    return (int) tag;
  }

  /** Returns the number of the field of a tag. */
  static int number(int tag) {
    return tag >>> WIRE_TYPE_BITS;
  }

  static int wireType(int tag) {
    return tag & ((1 << WIRE_TYPE_BITS) - 1);
  }

  /** Reads a little-endian number of 4 or 8 bytes. */
  long fixed(int length) {
    int start = position;
    skipBytes(length);
    long number = 0;
    for (int i = length - 1; i >= 0; i--) number = (number << 8) | (bytes[start + i] & 0xffL);
    return number;
  }

  /** Reads a length, checks that this many bytes follow, and returns where they end. */
  int endOfPart() {
    long length = varint();
    if (length < 0 || length > end - position) {
      throw new UndecodableException(
          Long.toUnsignedString(length) + " bytes announced, " + (end - position) + " left");
    }
    return position + (int) length;
  }

  /** Reads a text, and checks that it is valid UTF-8. */
  String text() {
    int to = endOfPart();
    ByteBuffer part = ByteBuffer.wrap(bytes, position, to - position);
    position = to;
    try {
      return UTF_8.newDecoder().decode(part).toString();
    } catch (CharacterCodingException e) {
      throw new UndecodableException("not valid UTF-8");
    }
  }

  /** Moves to the end of the value of a field. */
  void skip(int tag) {
    switch (wireType(tag)) {
      case VARINT -> varint();
      case FIXED64 -> skipBytes(Long.BYTES);
      case LENGTH -> position = endOfPart();
      case FIXED32 -> skipBytes(Integer.BYTES);
      case GROUP -> skipGroup(number(tag));
      default ->
          throw new UndecodableException(
              "field " + number(tag) + " has the wire type " + wireType(tag));
    }
  }

  private void skipGroup(int number) {
    int[] open = new int[DEEPEST_GROUP];
    int depth = 0;
    open[depth++] = number;
    while (depth > 0) {
      int tag = tag();
      if (wireType(tag) == GROUP) {
        if (depth == DEEPEST_GROUP) {
          throw new UndecodableException("groups nested more than " + DEEPEST_GROUP + " deep");
        }
        open[depth++] = number(tag);
      } else if (wireType(tag) == END_OF_GROUP) {
        if (open[--depth] != number(tag)) {
          throw new UndecodableException("the end of group " + number(tag) + " has no begin");
        }
      } else {
        skip(tag);
      }
    }
  }

  private void skipBytes(int length) {
    if (length > end - position) throw new UndecodableException("the bytes end inside a number");
    position += length;
  }
}
