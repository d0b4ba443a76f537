package io.sluice.events;

import io.sluice.schemas.PathTree;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.Values;
import java.util.Optional;
import java.util.Set;

/**
 * Value that a whole message is: a time for Protobuf's own {@code Timestamp}, the content of its
 * wrappers such as {@code Int64Value}, otherwise only the number of fields.
 */
interface ProtobufShape {
  Set<String> WRAPPERS =
      Set.of(
          "google.protobuf.DoubleValue",
          "google.protobuf.FloatValue",
          "google.protobuf.Int64Value",
          "google.protobuf.UInt64Value",
          "google.protobuf.Int32Value",
          "google.protobuf.UInt32Value",
          "google.protobuf.BoolValue",
          "google.protobuf.StringValue",
          "google.protobuf.BytesValue");

  /** Returns the shape of a type of message. */
  static ProtobufShape of(ProtobufTypes.Message message) {
    if (message.name().equals("google.protobuf.Timestamp")) return new Time();
    Optional<ProtobufScalar> content =
        WRAPPERS.contains(message.name())
            ? ProtobufScalar.builtIn(message.fields().get(0).type())
            : Optional.empty();
    return content.filter(type -> type.kind() != ProtobufScalar.Kind.BYTES).isPresent()
        ? new Wrapper(content.get())
        : new Fields(message.fields().size());
  }

  /** Returns the value of a message. */
  Object value(ProtobufCursor message);

  /** Returns whether the value can be what a path needs. */
  boolean fits(PathTree.Use use);

  /** Whether the value is scalar, so that it can be an attribute. */
  boolean isScalar();

  /** Message without a value of its own. */
  record Fields(int number) implements ProtobufShape {
    @Override
    public Object value(ProtobufCursor message) {
      return new Values.Structure(false, number);
    }

    @Override
    public boolean fits(PathTree.Use use) {
      return use == PathTree.Use.ANY;
    }

    @Override
    public boolean isScalar() {
      return false;
    }
  }

  /** Message with a scalar value in its only field, so that the field may be missing. */
  record Wrapper(ProtobufScalar type) implements ProtobufShape {
    @Override
    public Object value(ProtobufCursor message) {
      Object value = type.zero();
      while (message.hasMore()) {
        int tag = message.tag();
        int start = message.position();
        boolean isContent = ProtobufCursor.number(tag) == 1;
        if (isContent && ProtobufCursor.wireType(tag) == type.wireType()) {
          value = type.read(message);
        }
        message.moveTo(start);
        message.skip(tag);
      }
      return value;
    }

    @Override
    public boolean fits(PathTree.Use use) {
      return type.fits(use);
    }

    @Override
    public boolean isScalar() {
      return true;
    }
  }

  /** Time in seconds, in field 1, and nanoseconds, in field 2. */
  record Time() implements ProtobufShape {
    private static final int SECONDS = 1;
    private static final int NANOS = 2;
    private static final long FIRST_SECOND = -62_135_596_800L; // of the year 1
    private static final long LAST_SECOND = 253_402_300_799L; // of the year 9999
    private static final int NANOS_PER_SECOND = 1_000_000_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    @Override
    public Object value(ProtobufCursor message) {
      long seconds = 0;
      int nanos = 0;
      while (message.hasMore()) {
        int tag = message.tag();
        int start = message.position();
        if (ProtobufCursor.wireType(tag) == ProtobufCursor.VARINT) {
          if (ProtobufCursor.number(tag) == SECONDS) seconds = message.varint();
          else if (ProtobufCursor.number(tag) == NANOS) nanos = (int) message.varint();
        }
        message.moveTo(start);
        message.skip(tag);
      }
      boolean isSecond = seconds >= FIRST_SECOND && seconds <= LAST_SECOND;
      if (!isSecond || nanos < 0 || nanos >= NANOS_PER_SECOND) {
        throw new UndecodableException(
            "no Timestamp has " + seconds + " seconds and " + nanos + " nanos");
      }
      return new Values.Timestamp(seconds * 1_000 + nanos / NANOS_PER_MILLI, 1, false);
    }

    @Override
    public boolean fits(PathTree.Use use) {
      return use != PathTree.Use.COUNT;
    }

    @Override
    public boolean isScalar() {
      return true;
    }
  }
}
