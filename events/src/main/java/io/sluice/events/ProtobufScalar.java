package io.sluice.events;

import io.sluice.schemas.PathTree;
import io.sluice.schemas.Values;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Scalar type of a Protobuf field: a built-in type, or an enum. Immutable.
 *
 * @param constants names of an enum's constants by number; empty for other types
 * @param isClosed whether a number without a constant is no value, as in proto2
 */
record ProtobufScalar(Kind kind, Map<Integer, String> constants, boolean isClosed) {
  /** Built-in types, and {@link #ENUM} for all enums. */
  enum Kind {
    INT32(ProtobufCursor.VARINT),
    INT64(ProtobufCursor.VARINT),
    UINT32(ProtobufCursor.VARINT),
    UINT64(ProtobufCursor.VARINT),
    SINT32(ProtobufCursor.VARINT),
    SINT64(ProtobufCursor.VARINT),
    FIXED32(ProtobufCursor.FIXED32),
    FIXED64(ProtobufCursor.FIXED64),
    SFIXED32(ProtobufCursor.FIXED32),
    SFIXED64(ProtobufCursor.FIXED64),
    FLOAT(ProtobufCursor.FIXED32),
    DOUBLE(ProtobufCursor.FIXED64),
    BOOL(ProtobufCursor.VARINT),
    STRING(ProtobufCursor.LENGTH),
    BYTES(ProtobufCursor.LENGTH),
    ENUM(ProtobufCursor.VARINT);

    private final int wireType;

    Kind(int wireType) {
      this.wireType = wireType;
    }
  }

  /** Returns the built-in type with this name; empty if it is the name of a message or an enum. */
  static Optional<ProtobufScalar> builtIn(String name) {
    return Arrays.stream(Kind.values())
        .filter(kind -> kind != Kind.ENUM && kind.name().toLowerCase(Locale.ROOT).equals(name))
        .map(kind -> new ProtobufScalar(kind, Map.of(), false))
        .findFirst();
  }

  /** Returns the type's name, as in a definition; {@code enum} for all enums. */
  String name() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  int wireType() {
    return kind.wireType;
  }

  boolean canBePacked() {
    return kind.wireType != ProtobufCursor.LENGTH;
  }

  /** Returns whether a value can be what a path needs. */
  boolean fits(PathTree.Use use) {
    return switch (use) {
      case TEXT -> kind != Kind.BYTES;
      case COUNT, TIME -> kind != Kind.BYTES && kind != Kind.BOOL && kind != Kind.ENUM;
      case ANY -> true;
    };
  }

  /**
   * Reads a value of the type's wire type, as a class that {@link Values} names; null if the number
   * is no value of a closed enum.
   */
  Object read(ProtobufCursor cursor) {
    return switch (kind) {
      case INT32, SFIXED32 -> (long) (int) number(cursor);
      case INT64, SFIXED64 -> number(cursor);
      case UINT32, FIXED32 -> number(cursor) & 0xffff_ffffL;
      case UINT64, FIXED64 -> unsigned(number(cursor));
      case SINT32 -> zigzag(number(cursor) & 0xffff_ffffL);
      case SINT64 -> zigzag(number(cursor));
      case FLOAT -> Values.number(Float.toString(Float.intBitsToFloat((int) number(cursor))));
      case DOUBLE -> Values.number(Double.toString(Double.longBitsToDouble(number(cursor))));
      case BOOL -> number(cursor) != 0;
      case STRING -> cursor.text();
      case BYTES -> throw new IllegalStateException("bytes are no value");
      case ENUM -> constant((int) number(cursor));
    };
  }

  private long number(ProtobufCursor cursor) {
    return switch (kind.wireType) {
      case ProtobufCursor.FIXED32 -> cursor.fixed(Integer.BYTES);
      case ProtobufCursor.FIXED64 -> cursor.fixed(Long.BYTES);
      default -> cursor.varint();
    };
  }

  private static long zigzag(long number) {
    return (number >>> 1) ^ -(number & 1);
  }

  private static Object unsigned(long number) {
    return number < 0 ? Values.number(Long.toUnsignedString(number)) : (Object) number;
  }

  private Object constant(int number) {
    String name = constants.get(number);
    return name != null || isClosed ? name : (Object) (long) number;
  }

  /** Returns the value that stands for one that is left out; null for bytes. */
  Object zero() {
    return switch (kind) {
      case BOOL -> false;
      case STRING -> "";
      case BYTES -> null;
      case ENUM -> constant(0);
      default -> 0L;
    };
  }

  /**
   * Returns the value of a field that is left out because it has no presence and its value is zero:
   * of a truth value or an enum, whose zero is a value like others. Null for other types, since a
   * user or a cost of zero is most likely missing.
   */
  Object omitted() {
    return kind == Kind.BOOL || kind == Kind.ENUM ? zero() : null;
  }
}
