package io.sluice.events;

import io.sluice.events.ProtobufTarget.Sink;
import io.sluice.events.ProtobufTypes.Field;
import io.sluice.events.ProtobufTypes.Message;
import io.sluice.schemas.PathNode;
import io.sluice.schemas.PathTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Compiler from a type of Protobuf message and the paths of values to the steps that read such
 * messages. It runs once for each type of a schema. Not thread-safe.
 */
final class ProtobufPlan {
  private final ProtobufTypes types;
  private final Set<Integer> found = new HashSet<>();

  ProtobufPlan(ProtobufTypes types) {
    this.types = types;
  }

  /** Returns whether the compiled type has the path of a slot. */
  boolean has(int slot) {
    return found.contains(slot);
  }

  /**
   * Returns the reader of the messages of a type.
   *
   * @throws IllegalArgumentException if a needed field has a type that it cannot be read from
   */
  ProtobufMessage compiled(Message type, PathNode node) {
    ProtobufMessage.Builder steps = new ProtobufMessage.Builder();
    Map<String, Set<Integer>> places = new HashMap<>(); // of each field
    for (Field field : type.fields()) {
      int first = steps.nextPlace();
      Stream.of(field.jsonName(), field.name())
          .distinct()
          .map(node::child)
          .filter(PathNode::isWanted)
          .forEach(child -> add(field, type, child, steps));
      if (node.isAttributes()) addAttribute(field, type, steps);
      for (int place = first; place < steps.nextPlace(); place++) {
        places.computeIfAbsent(field.name(), absent -> new HashSet<>()).add(place);
      }
    }
    for (Field field : type.fields()) addReplacing(field, type, places, steps);
    return steps.build();
  }

  /** Adds the step by which a member of a oneof replaces the wanted ones of the others. */
  private void addReplacing(
      Field field, Message type, Map<String, Set<Integer>> places, ProtobufMessage.Builder steps) {
    if (field.oneOf().isEmpty()) return;
    Set<Integer> others = new HashSet<>();
    for (Field other : type.fields()) {
      if (other.number() == field.number() || !other.oneOf().equals(field.oneOf())) continue;
      others.addAll(places.getOrDefault(other.name(), Set.of()));
    }
    if (others.isEmpty()) return;
    int wireType =
        types
            .scalar(field.type(), type)
            .map(ProtobufScalar::wireType)
            .orElse(ProtobufCursor.LENGTH);
    steps.add(field.number(), new ProtobufMessage.Replace(others, wireType));
  }

  private void add(Field field, Message in, PathNode node, ProtobufMessage.Builder steps) {
    int place = steps.nextPlace();
    Optional<Map.Entry<String, String>> map = field.map();
    if (map.isPresent()) {
      steps.add(field.number(), entries(place, map.get(), in, node));
    } else if (field.isRepeated()) {
      if (node.isLeaf() || node.hasElements() || node.isAttributes()) {
        steps.add(field.number(), elements(place, field, in, node));
      }
    } else {
      target(field.type(), in, node, !field.hasPresence())
          .map(target -> new ProtobufMessage.Single(place, target))
          .ifPresent(step -> steps.add(field.number(), step));
    }
  }

  private void addAttribute(Field field, Message in, ProtobufMessage.Builder steps) {
    if (field.isRepeated() || field.map().isPresent()) return;
    List<String> names = Stream.of(field.jsonName(), field.name()).distinct().toList();
    Optional<ProtobufScalar> scalar = types.scalar(field.type(), in);
    Optional<ProtobufTarget> target;
    if (scalar.isPresent()) {
      target =
          scalar
              .filter(type -> type.kind() != ProtobufScalar.Kind.BYTES)
              .map(type -> scalar(type, Sink.ofAttribute(names), !field.hasPresence()));
    } else {
      target =
          types
              .message(field.type(), in)
              .map(ProtobufShape::of)
              .filter(ProtobufShape::isScalar)
              .map(shape -> message(shape, Sink.ofAttribute(names)));
    }
    int place = steps.nextPlace();
    target.ifPresent(each -> steps.add(field.number(), new ProtobufMessage.Single(place, each)));
  }

  private static ProtobufTarget scalar(ProtobufScalar type, Sink sink, boolean omitted) {
    return new ProtobufTarget.Scalar(new ProtobufTarget.Plain(type), sink, omitted);
  }

  private static ProtobufTarget message(ProtobufShape shape, Sink sink) {
    return new ProtobufTarget.Submessage(Optional.empty(), Optional.of(sink), shape);
  }

  private ProtobufMessage.Step entries(
      int place, Map.Entry<String, String> map, Message in, PathNode node) {
    requireFit(node, "map", use -> use == PathTree.Use.ANY);
    reach(node);
    ProtobufScalar key =
        ProtobufScalar.builtIn(map.getKey())
            .orElseThrow(() -> unfit(node.path(), "a map with keys of", map.getKey()));
    Map<String, ProtobufTarget> wanted = new HashMap<>();
    for (String name : node.names()) {
      target(map.getValue(), in, node.child(name), false)
          .ifPresent(target -> wanted.put(name, target));
    }
    Optional<ProtobufScalar> attributes =
        node.isAttributes()
            ? types
                .scalar(map.getValue(), in)
                .filter(type -> type.kind() != ProtobufScalar.Kind.BYTES)
            : Optional.empty();
    return new ProtobufMessage.Entries(
        place,
        node,
        wanted,
        new ProtobufMessage.Entries.Key(key),
        new ProtobufMessage.Entries.AttributeType(attributes));
  }

  private ProtobufMessage.Step elements(int place, Field field, Message in, PathNode node) {
    String type = "repeated " + field.type();
    if (node.isAttributes()) throw unfit(node.path(), type, "a map or a message");
    requireFit(node, type, use -> use == PathTree.Use.ANY);
    reach(node);
    List<ProtobufTarget> first = new ArrayList<>();
    for (int index = 0; index <= node.highestElement(); index++) {
      first.add(element(field, in, node.element(index)));
    }
    ProtobufTarget others = element(field, in, node.element(first.size()));
    return new ProtobufMessage.Elements(place, node, first, others);
  }

  private ProtobufTarget element(Field field, Message in, PathNode node) {
    return target(field.type(), in, node, false)
        .orElseGet(
            () ->
                types
                    .scalar(field.type(), in)
                    .filter(ProtobufScalar::canBePacked)
                    .<ProtobufTarget>map(ProtobufTarget.Plain::new)
                    .orElseGet(ProtobufTarget.Count::new));
  }

  /**
   * Returns the target of a value of a type; empty if no path needs the value, or one below it.
   *
   * @param omitted whether a value of zero may be left out
   */
  private Optional<ProtobufTarget> target(String type, Message in, PathNode node, boolean omitted) {
    if (!node.isWanted()) return Optional.empty();
    Optional<ProtobufScalar> scalar = types.scalar(type, in);
    if (scalar.isPresent()) return scalarAt(scalar.get(), node, omitted);
    Message message =
        types
            .message(type, in)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        node.path() + " is of type " + type + ", which no file defines"));
    ProtobufShape shape = ProtobufShape.of(message);
    if (node.isLeaf()) {
      requireFit(node, message.name(), shape::fits);
      reach(node);
    }
    if (!node.isLeaf() && !node.hasNames()) return Optional.empty();
    return Optional.of(
        new ProtobufTarget.Submessage(
            node.hasNames() ? Optional.of(compiled(message, node)) : Optional.empty(),
            node.isLeaf() ? Optional.of(Sink.of(node)) : Optional.empty(),
            shape));
  }

  private Optional<ProtobufTarget> scalarAt(ProtobufScalar type, PathNode node, boolean omitted) {
    if (node.isAttributes()) throw unfit(node.path(), type.name(), "a map or a message");
    if (!node.isLeaf()) return Optional.empty(); // this type has no values below it
    requireFit(node, type.name(), type::fits);
    reach(node);
    return Optional.of(
        type.kind() == ProtobufScalar.Kind.BYTES
            ? new ProtobufTarget.Bytes(Sink.of(node))
            : scalar(type, Sink.of(node), omitted));
  }

  private void reach(PathNode node) {
    found.addAll(node.taking());
  }

  /**
   * Checks that a value can be what all of its users need.
   *
   * @throws IllegalArgumentException if it cannot
   */
  private static void requireFit(PathNode node, String type, Predicate<PathTree.Use> fits) {
    for (PathTree.Use use : node.uses()) {
      if (!fits.test(use)) throw unfit(node.path(), type, use.accepted());
    }
  }

  private static IllegalArgumentException unfit(String path, String type, String accepted) {
    return new IllegalArgumentException(path + " is of type " + type + "; accepted is " + accepted);
  }
}
