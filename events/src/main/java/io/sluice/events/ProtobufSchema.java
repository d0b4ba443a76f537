package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.events.ProtobufTarget.Found;
import io.sluice.events.ProtobufTypes.Message;
import io.sluice.schemas.UndecodableException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Protobuf schema of events: the types of messages in a file, each compiled to a reader of the
 * fields that selectors need. Immutable.
 */
final class ProtobufSchema implements ValueReader {
  private static final int REF_NAME = 1 << 3 | ProtobufCursor.LENGTH;

  private final EventSelectors selectors;
  private final List<Type> types;

  /**
   * Type of message.
   *
   * @param reader reader of the messages; empty if they cannot be events
   * @param unfit why the messages cannot be events; empty if they can
   * @param nested types that are defined inside of this one, in order
   */
  private record Type(
      String name, Optional<ProtobufMessage> reader, String unfit, List<Type> nested) {
    boolean isNamed(String text) {
      return name.equals(text) || name.endsWith("." + text);
    }

    Stream<Type> all() {
      return Stream.concat(Stream.of(this), nested.stream().flatMap(Type::all));
    }
  }

  private ProtobufSchema(EventSelectors selectors, List<Type> types) {
    this.selectors = selectors;
    this.types = types;
  }

  /**
   * Compiles the types of a file.
   *
   * @throws IllegalArgumentException if a text is not a Protobuf file, or if the messages of no
   *     type of the file can be events; the message says why for the first type
   */
  static ProtobufSchema parse(SchemaDefinition definition, EventSelectors selectors) {
    ProtobufTypes known = ProtobufTypes.of(definition);
    List<Type> types = known.top().stream().map(each -> compiled(each, known, selectors)).toList();
    if (types.isEmpty()) {
      throw new IllegalArgumentException("not a Protobuf schema: the file has no message");
    }
    if (types.stream().flatMap(Type::all).allMatch(each -> each.reader.isEmpty())) {
      throw new IllegalArgumentException(types.get(0).unfit);
    }
    return new ProtobufSchema(selectors, types);
  }

  private static Type compiled(Message message, ProtobufTypes known, EventSelectors selectors) {
    List<Type> nested =
        message.nested().stream().map(each -> compiled(each, known, selectors)).toList();
    ProtobufPlan plan = new ProtobufPlan(known);
    try {
      ProtobufMessage reader = plan.compiled(message, selectors.tree().root());
      selectors.requireFields(message.name(), plan::has);
      return new Type(message.name(), Optional.of(reader), "", nested);
    } catch (IllegalArgumentException e) {
      return new Type(message.name(), Optional.empty(), e.getMessage(), nested);
    }
  }

  @Override
  public String format() {
    return "Protobuf";
  }

  @Override
  public Read read(FramedValue value) {
    byte[] bytes = value.bytes();
    ProtobufCursor cursor = new ProtobufCursor(bytes, value.offset(), bytes.length);
    Type type = type(value, cursor);
    ProtobufMessage reader = type.reader.orElseThrow(() -> new UndecodableException(type.unfit));
    Found found = new Found(selectors.tree().values());
    reader.read(cursor, found);
    return new Read(found.values(), found);
  }

  /**
   * Returns the type of a value's message. Confluent's serializers write its indexes before the
   * body or in the header with the schema id; Apicurio's write its name.
   */
  private Type type(FramedValue value, ProtobufCursor cursor) {
    if (value.headerIndexes().length > 0) {
      byte[] indexes = value.headerIndexes();
      return indexed(new ProtobufCursor(indexes, 0, indexes.length));
    }
    Optional<Type> named = namedBefore(cursor);
    if (named.isPresent()) return named.get();
    if (value.hasIndexesBefore()) return indexed(cursor);
    if (value.messageName().isEmpty()) return types.get(0);
    return named(value.messageName())
        .orElseThrow(() -> new UndecodableException("the schema has no message of that name"));
  }

  /**
   * Returns the type that is named at the cursor's position, as Apicurio's serializers do: by the
   * length of a message, which has the name in its field 1. If there is anything else, the cursor
   * stays; no other value begins with the name of a type in this way.
   */
  private Optional<Type> namedBefore(ProtobufCursor cursor) {
    int start = cursor.position();
    Optional<Type> type = Optional.empty();
    try {
      int end = cursor.endOfPart();
      if (cursor.position() < end && cursor.tag() == REF_NAME) {
        int nameEnd = cursor.endOfPart();
        String name =
            new String(cursor.bytes(), cursor.position(), nameEnd - cursor.position(), UTF_8);
        if (nameEnd == end) type = named(name);
        cursor.moveTo(end);
      }
    } catch (UndecodableException e) {
      type = Optional.empty();
    }
    if (type.isEmpty()) cursor.moveTo(start);
    return type;
  }

  private Optional<Type> named(String name) {
    return types.stream().filter(each -> each.isNamed(name)).findFirst();
  }

  /**
   * Returns the type of Confluent's message indexes: a number of indexes, then the index of a
   * message in the file, of one in that message, and so on. A zero alone is the first message.
   */
  private Type indexed(ProtobufCursor cursor) {
    long depth = zigzag(cursor.varint());
    if (depth == 0) return types.get(0);
    List<Type> among = types;
    Type type = null;
    for (long i = 0; i < depth; i++) {
      long index = zigzag(cursor.varint());
      if (index < 0 || index >= among.size()) {
        throw new UndecodableException("no message has these indexes");
      }
      type = among.get((int) index);
      among = type.nested;
    }
    if (type == null) throw new UndecodableException(depth + " message indexes");
    return type;
  }

  private static long zigzag(long number) {
    return (number >>> 1) ^ -(number & 1);
  }
}
