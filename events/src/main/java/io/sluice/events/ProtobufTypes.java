package io.sluice.events;

import com.squareup.wire.Syntax;
import com.squareup.wire.schema.CoreLoader;
import com.squareup.wire.schema.Field.Label;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.internal.parser.EnumConstantElement;
import com.squareup.wire.schema.internal.parser.EnumElement;
import com.squareup.wire.schema.internal.parser.FieldElement;
import com.squareup.wire.schema.internal.parser.MessageElement;
import com.squareup.wire.schema.internal.parser.OneOfElement;
import com.squareup.wire.schema.internal.parser.ProtoFileElement;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import com.squareup.wire.schema.internal.parser.TypeElement;
import io.sluice.limiter.PlainText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages and enums of a Protobuf file and of the files that it imports. Names of types are
 * resolved only for the fields that are read, so that a schema can be used although an option, or a
 * file with the type of another field, is missing.
 */
final class ProtobufTypes {
  private static final Set<String> WELL_KNOWN =
      Set.of("any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers");
  private static final Pattern WELL_KNOWN_PATH = Pattern.compile("google/protobuf/(.+)\\.proto");

  private final Map<String, Message> messages = new HashMap<>();
  private final Map<String, ProtobufScalar> enums = new HashMap<>();
  private final List<Message> top = new ArrayList<>();

  /**
   * Type of a message.
   *
   * @param name full name
   * @param nested messages that are defined inside of this one, in order
   */
  record Message(String name, List<Field> fields, List<Message> nested) {}

  /**
   * Field of a message.
   *
   * @param oneOf name of the group of fields of which a message has at most one; empty if there is
   *     none
   */
  record Field(FieldElement element, Cardinality is, String oneOf) {
    private static final Pattern MAP = Pattern.compile("map\\s*<\\s*(.+?)\\s*,\\s*(.+?)\\s*>");

    /** Number of values of a field. */
    enum Cardinality {
      /** At most one; a value of zero is left out. */
      WITHOUT_PRESENCE,
      OPTIONAL,
      REPEATED
    }

    String name() {
      return element.getName();
    }

    /** Returns the name in JSON, which is {@code userId} for {@code user_id} by default. */
    String jsonName() {
      String given = element.getJsonName();
      return given == null ? camelCase(name()) : given;
    }

    private static String camelCase(String name) {
      StringBuilder json = new StringBuilder();
      boolean isNext = false;
      for (int i = 0; i < name.length(); i++) {
        char c = name.charAt(i);
        if (c != '_') json.append(isNext && c >= 'a' && c <= 'z' ? (char) (c - 'a' + 'A') : c);
        isNext = c == '_';
      }
      return json.toString();
    }

    int number() {
      return element.getTag();
    }

    /** Returns the name of the type, which may be relative to the message. */
    String type() {
      return element.getType();
    }

    boolean isRepeated() {
      return is == Cardinality.REPEATED;
    }

    boolean hasPresence() {
      return is != Cardinality.WITHOUT_PRESENCE;
    }

    /** Returns the names of the types of keys and values; empty if the field is not a map. */
    Optional<Map.Entry<String, String>> map() {
      Matcher map = MAP.matcher(type());
      return map.matches() ? Optional.of(Map.entry(map.group(1), map.group(2))) : Optional.empty();
    }
  }

  /**
   * Parses a file with its imports.
   *
   * @throws IllegalArgumentException if a text is not a Protobuf file
   */
  static ProtobufTypes of(SchemaDefinition definition) {
    ProtobufTypes types = new ProtobufTypes();
    Map<String, String> imports = new HashMap<>();
    definition.imports().forEach(each -> imports.putIfAbsent(each.name(), each.text()));
    ProtoFileElement file = parsed("schema.proto", definition.text());
    types.top.addAll(types.added(file));
    types.addImports(file, imports, new HashSet<>());
    return types;
  }

  private static ProtoFileElement parsed(String name, String text) {
    try {
      return ProtoParser.Companion.parse(Location.get(name), text);
    } catch (RuntimeException e) {
      // The parser throws exceptions of several classes, none of them for syntax only.
      throw new IllegalArgumentException(
          "not a Protobuf schema: " + PlainText.message(String.valueOf(e.getMessage())), e);
    }
  }

  private void addImports(ProtoFileElement file, Map<String, String> imports, Set<String> known) {
    List<String> names = new ArrayList<>(file.getImports());
    names.addAll(file.getPublicImports());
    names.addAll(file.getWeakImports());
    for (String name : names) {
      if (!known.add(name)) continue;
      Optional<ProtoFileElement> imported = imported(name, imports);
      if (imported.isEmpty()) continue; // perhaps only of options, or of fields that are not read
      added(imported.get());
      addImports(imported.get(), imports, known);
    }
  }

  private static Optional<ProtoFileElement> imported(String name, Map<String, String> imports) {
    if (imports.containsKey(name)) return Optional.of(parsed(name, imports.get(name)));
    Matcher wellKnown = WELL_KNOWN_PATH.matcher(name);
    return wellKnown.matches() && WELL_KNOWN.contains(wellKnown.group(1))
        ? Optional.of(CoreLoader.INSTANCE.load(name).toElement())
        : Optional.empty();
  }

  /** Adds all types of a file, and returns its messages that are not nested. */
  private List<Message> added(ProtoFileElement file) {
    String scope = file.getPackageName() == null ? "" : file.getPackageName();
    return added(file.getTypes(), scope, file.getSyntax() == Syntax.PROTO_3);
  }

  private List<Message> added(List<TypeElement> types, String scope, boolean isProto3) {
    List<Message> added = new ArrayList<>();
    for (TypeElement type : types) {
      String name = scope.isEmpty() ? type.getName() : scope + "." + type.getName();
      List<Message> nested = added(type.getNestedTypes(), name, isProto3);
      if (type instanceof EnumElement element) enums.putIfAbsent(name, enumOf(element, isProto3));
      if (!(type instanceof MessageElement element)) continue;
      Message message = new Message(name, fields(element, name, isProto3), nested);
      messages.putIfAbsent(name, message);
      added.add(message);
    }
    return added;
  }

  private static ProtobufScalar enumOf(EnumElement element, boolean isProto3) {
    Map<Integer, String> constants = new HashMap<>();
    for (EnumConstantElement each : element.getConstants()) {
      constants.putIfAbsent(each.getTag(), each.getName()); // an alias has the number of another
    }
    return new ProtobufScalar(ProtobufScalar.Kind.ENUM, constants, !isProto3);
  }

  private static List<Field> fields(MessageElement element, String message, boolean isProto3) {
    List<Field> fields = new ArrayList<>();
    for (FieldElement each : element.getFields()) {
      Field.Cardinality is =
          each.getLabel() == Label.REPEATED
              ? Field.Cardinality.REPEATED
              : each.getLabel() == null && isProto3
                  ? Field.Cardinality.WITHOUT_PRESENCE
                  : Field.Cardinality.OPTIONAL;
      fields.add(new Field(each, is, ""));
    }
    for (OneOfElement oneOf : element.getOneOfs()) {
      for (FieldElement each : oneOf.getFields()) {
        fields.add(new Field(each, Field.Cardinality.OPTIONAL, oneOf.getName()));
      }
    }
    Set<Integer> numbers = new HashSet<>();
    for (Field each : fields) {
      if (numbers.add(each.number())) continue;
      throw new IllegalArgumentException(
          "not a Protobuf schema: two fields of " + message + " have the number " + each.number());
    }
    return List.copyOf(fields);
  }

  /** Returns the messages of the file that are not nested, in order. */
  List<Message> top() {
    return top;
  }

  /** Returns the scalar type that a name stands for in a message; empty if there is none. */
  Optional<ProtobufScalar> scalar(String type, Message in) {
    Optional<ProtobufScalar> builtIn = ProtobufScalar.builtIn(type);
    return builtIn.isPresent() ? builtIn : resolved(type, in, enums);
  }

  /** Returns the message that a name stands for in a message; empty if there is none. */
  Optional<Message> message(String type, Message in) {
    return resolved(type, in, messages);
  }

  /** Looks for a name in the message, then in each message and package around it. */
  private static <T> Optional<T> resolved(String type, Message in, Map<String, T> known) {
    if (type.startsWith(".")) return Optional.ofNullable(known.get(type.substring(1)));
    for (String scope = in.name; !scope.isEmpty(); scope = outer(scope)) {
      T found = known.get(scope + "." + type);
      if (found != null) return Optional.of(found);
    }
    return Optional.ofNullable(known.get(type));
  }

  private static String outer(String scope) {
    return scope.substring(0, Math.max(0, scope.lastIndexOf('.')));
  }
}
