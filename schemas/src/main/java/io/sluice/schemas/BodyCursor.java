package io.sluice.schemas;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/**
 * Cursor in a part of a byte array with Avro's binary encoding; it reads nothing outside that part.
 *
 * <p>A length or a count is accepted only if the part has enough bytes for it, so time and
 * allocated memory are bounded by the size of the part. Each method gets the name of the field for
 * its {@link UndecodableException}. Not thread-safe.
 */
final class BodyCursor {
  private static final int LAST_SHIFT = 63;

  private final byte[] bytes;
  private final int end;
  private int position;
  private long itemsLeft;

  BodyCursor(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    this.bytes = bytes;
    this.end = offset + length;
    this.position = offset;
    this.itemsLeft = length;
  }

  int position() {
    return position;
  }

  int remaining() {
    return end - position;
  }

  /** Reads a variable-length number in zigzag encoding, of at most 64 bits. */
  long readLong(String field) {
    long zigzag = 0;
    for (int shift = 0; shift <= LAST_SHIFT; shift += 7) {
      if (position == end) {
        throw new UndecodableException(field + ": the bytes end inside a number");
      }
      byte group = bytes[position++];
      zigzag |= (group & 0x7fL) << shift;
      if (shift == LAST_SHIFT && (group & 0xfe) != 0) {
        break;
      }
      if (group >= 0) {
        return (zigzag >>> 1) ^ -(zigzag & 1);
      }
    }
    throw new UndecodableException(field + ": a number of more than 64 bits");
  }

  /**
   * Reads the index of a union's branch or of an enum's symbol, and checks that it is below the
   * number of choices.
   */
  int readIndex(String field, int choices) {
    long index = readLong(field);
    if (index < 0 || index >= choices) {
      throw new UndecodableException(
          field + ": index " + index + " in a union or enum with " + choices + " choices");
    }
    return (int) index;
  }

  /** Reads a length, and checks that this many bytes follow. */
  int readLength(String field) {
    return require(field, readLong(field));
  }

  /** Reads a string, and checks that it is valid UTF-8. */
  String readString(String field) {
    int start = skipString(field);
    return new String(bytes, start, position - start, StandardCharsets.UTF_8);
  }

  /** Skips a string, checks that it is valid UTF-8, and returns the index of its first byte. */
  int skipString(String field) {
    int length = readLength(field);
    int start = position;
    position += length;
    if (!Utf8Validity.holds(bytes, start, position)) {
      throw new UndecodableException(field + ": not valid UTF-8");
    }
    return start;
  }

  /**
   * Skips a string, checks that it is valid UTF-8, and returns whether it consists of exactly these
   * bytes.
   */
  boolean skipsString(String field, byte[] wanted) {
    int start = skipString(field);
    return Arrays.equals(bytes, start, position, wanted, 0, wanted.length);
  }

  /** Reads a little-endian number of {@code length} bytes, at most 8. */
  long readFixed(String field, int length) {
    int start = position;
    skip(field, length);
    long number = 0;
    for (int i = length - 1; i >= 0; i--) {
      number = (number << 8) | (bytes[start + i] & 0xffL);
    }
    return number;
  }

  /** Skips {@code length} bytes, and checks that there are as many. */
  void skip(String field, int length) {
    position += require(field, length);
  }

  /**
   * Counts the items of an array or a map. All arrays and maps together may have at most as many
   * items as there are bytes. Only items without bytes could exceed this bound, and no action has
   * such items.
   */
  int claimItems(String field, long items) {
    if (items < 0 || items > itemsLeft) {
      throw new UndecodableException(
          field
              + ": "
              + Long.toUnsignedString(items)
              + " items announced, "
              + remaining()
              + " bytes left");
    }
    itemsLeft -= items;
    return (int) items;
  }

  void requireEnd() {
    if (position != end) {
      throw new UndecodableException(remaining() + " bytes after the end of the record");
    }
  }

  private int require(String field, long length) {
    if (length < 0 || length > remaining()) {
      throw new UndecodableException(
          field + ": " + length + " bytes announced, " + remaining() + " left");
    }
    return (int) length;
  }
}
