package io.sluice.events;

import io.sluice.schemas.PathNode;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.Values;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Place that a value of a Protobuf field goes to. A value is first taken from the bytes, and put
 * when it is known that it is the last one of its field. Immutable.
 */
interface ProtobufTarget {
  /**
   * Takes a value.
   *
   * @param before value of the field that was taken before; null if there is none
   * @return the value of the field from now on; the one before if this one has an unfit wire type
   */
  Object take(Object before, ProtobufCursor cursor, int wireType);

  /**
   * Puts the value of a field.
   *
   * @param value value that was taken; null if there is none
   */
  void put(Object value, Found found);

  /** Returns the value of an entry of a map that has no value; null if there is none. */
  Object zero();

  /** Returns the wire type of each element of a packed list; -1 if it cannot be packed. */
  default int packedWireType() {
    return -1;
  }

  /** Values and attributes that were found in a message. Not thread-safe. */
  final class Found implements ValueReader.Attributes {
    private final Values values;
    private final Map<String, String> attributes = new HashMap<>();

    Found(Values values) {
      this.values = values;
    }

    Values values() {
      return values;
    }

    void attribute(String name, Object value) {
      if (value != null) attributes.put(name, value.toString());
    }

    @Override
    public String of(String name) {
      return attributes.getOrDefault(name, "");
    }
  }

  /**
   * Place of a value in an event.
   *
   * @param node node whose slots take the value; empty if it is only an attribute
   * @param attributes names of the attributes that the value is
   */
  record Sink(Optional<PathNode> node, List<String> attributes) {
    static Sink of(PathNode node) {
      return new Sink(Optional.of(node), List.of());
    }

    static Sink ofAttribute(List<String> names) {
      return new Sink(Optional.empty(), names);
    }

    void put(Object value, Found found) {
      if (value == null) return;
      if (node.isPresent()) found.values().put(node.get(), value);
      for (int i = 0; i < attributes.size(); i++) found.attribute(attributes.get(i), value);
    }

    String name() {
      return node.map(PathNode::path).orElseGet(() -> attributes.get(0));
    }
  }

  /** Scalar value that is only passed over, or taken for a purpose of the caller. */
  record Plain(ProtobufScalar type) implements ProtobufTarget {
    @Override
    public Object take(Object before, ProtobufCursor cursor, int wireType) {
      if (wireType != type.wireType()) return before;
      Object value = type.read(cursor);
      return value == null ? before : value;
    }

    @Override
    public void put(Object value, Found found) {}

    @Override
    public Object zero() {
      return type.zero();
    }

    @Override
    public int packedWireType() {
      return type.canBePacked() ? type.wireType() : -1;
    }
  }

  /**
   * Scalar value.
   *
   * @param omitted whether a missing value is the one that {@link ProtobufScalar#omitted} names
   */
  record Scalar(Plain plain, Sink sink, boolean omitted) implements ProtobufTarget {
    @Override
    public Object take(Object before, ProtobufCursor cursor, int wireType) {
      try {
        return plain.take(before, cursor, wireType);
      } catch (UndecodableException e) {
        throw new UndecodableException(sink.name() + ": " + e.getMessage());
      }
    }

    @Override
    public void put(Object value, Found found) {
      sink.put(value == null && omitted ? plain.type.omitted() : value, found);
    }

    @Override
    public Object zero() {
      return plain.zero();
    }

    @Override
    public int packedWireType() {
      return plain.packedWireType();
    }
  }

  /** Value that is only counted, since no path needs it. */
  record Count() implements ProtobufTarget {
    @Override
    public Object take(Object before, ProtobufCursor cursor, int wireType) {
      return wireType == ProtobufCursor.LENGTH ? (Object) true : before;
    }

    @Override
    public void put(Object value, Found found) {}

    @Override
    public Object zero() {
      return null;
    }
  }

  /** Value of bytes, of which only is noted that there is one. */
  record Bytes(Sink sink) implements ProtobufTarget {
    private static final Object UNREADABLE = new Values.Unreadable("bytes");

    @Override
    public Object take(Object before, ProtobufCursor cursor, int wireType) {
      return wireType == ProtobufCursor.LENGTH ? UNREADABLE : before;
    }

    @Override
    public void put(Object value, Found found) {
      sink.put(value, found);
    }

    @Override
    public Object zero() {
      return null;
    }
  }

  /**
   * Message.
   *
   * @param through reader of its fields; empty if none are needed
   * @param sink place of the whole message; empty if it is not needed
   * @param shape value that the message is
   */
  record Submessage(Optional<ProtobufMessage> through, Optional<Sink> sink, ProtobufShape shape)
      implements ProtobufTarget {
    @Override
    public Object take(Object before, ProtobufCursor cursor, int wireType) {
      if (wireType != ProtobufCursor.LENGTH) return before;
      int end = cursor.endOfPart();
      if (before == null) return new Part(cursor.bytes(), cursor.position(), end);
      return ((Part) before).with(cursor.bytes(), cursor.position(), end);
    }

    @Override
    public void put(Object value, Found found) {
      if (value == null) return;
      Part part = (Part) value;
      if (sink.isPresent()) sink.get().put(shape.value(part.cursor()), found);
      if (through.isPresent()) through.get().read(part.cursor(), found);
    }

    @Override
    public Object zero() {
      return new Part(new byte[0], 0, 0);
    }
  }

  /** Bytes of a message. It may come in several parts, which together are one message. */
  final class Part {
    private final byte[] bytes;
    private final int from;
    private final int end;
    private ByteArrayOutputStream all; // null as long as there is one part

    Part(byte[] bytes, int from, int end) {
      this.bytes = bytes;
      this.from = from;
      this.end = end;
    }

    Part with(byte[] more, int moreFrom, int moreEnd) {
      if (all == null) {
        all = new ByteArrayOutputStream();
        all.write(bytes, from, end - from);
      }
      all.write(more, moreFrom, moreEnd - moreFrom);
      return this;
    }

    ProtobufCursor cursor() {
      return all == null
          ? new ProtobufCursor(bytes, from, end)
          : new ProtobufCursor(all.toByteArray(), 0, all.size());
    }
  }
}
