package io.sluice.events;

import io.sluice.events.ProtobufTarget.Found;
import io.sluice.schemas.PathNode;
import io.sluice.schemas.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reader of the wanted fields of one type of Protobuf message. As each Protobuf reader, it takes
 * the last value of a field that is not repeated, merges parts of a message, and ignores a field of
 * an unknown number or with another wire type. Immutable.
 */
final class ProtobufMessage {
  /*
   * A message is read in two passes: the first one meets its fields in the order of the bytes, and
   * the second one puts the values that are left at the end. So a message in a field is read only
   * when it is known that no later field of the same oneof replaces it, and that it has all its
   * parts. The depth is that of the longest path.
   */

  private final Map<Integer, List<Step>> byNumber;
  private final List<Step> steps;

  private ProtobufMessage(Map<Integer, List<Step>> byNumber, List<Step> steps) {
    this.byNumber = byNumber;
    this.steps = steps;
  }

  /** Reads a message up to the end of a cursor's part. */
  void read(ProtobufCursor cursor, Found found) {
    Object[] places = new Object[steps.size()];
    while (cursor.hasMore()) {
      int tag = cursor.tag();
      int start = cursor.position();
      List<Step> wanted = byNumber.getOrDefault(ProtobufCursor.number(tag), List.of());
      for (int i = 0; i < wanted.size(); i++) {
        wanted.get(i).meet(cursor, ProtobufCursor.wireType(tag), places, found);
        cursor.moveTo(start);
      }
      cursor.skip(tag);
    }
    for (int i = 0; i < steps.size(); i++) steps.get(i).finish(places, found);
  }

  /** Step for one field and one path through it. */
  interface Step {
    /** Takes the value at the cursor's position. */
    void meet(ProtobufCursor cursor, int wireType, Object[] places, Found found);

    /** Puts the value that is left at the end of the message. */
    default void finish(Object[] places, Found found) {}
  }

  /** Builder of a reader. Each step has a place of its own, which holds its state. */
  static final class Builder {
    private final Map<Integer, List<Step>> byNumber = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();

    /** Returns the place of the step that is added next. */
    int nextPlace() {
      return steps.size();
    }

    void add(int number, Step step) {
      byNumber.computeIfAbsent(number, absent -> new ArrayList<>()).add(step);
      steps.add(step);
    }

    ProtobufMessage build() {
      return new ProtobufMessage(Map.copyOf(byNumber), List.copyOf(steps));
    }
  }

  /** Field that is not repeated. */
  record Single(int place, ProtobufTarget target) implements Step {
    @Override
    public void meet(ProtobufCursor cursor, int wireType, Object[] places, Found found) {
      places[place] = target.take(places[place], cursor, wireType);
    }

    @Override
    public void finish(Object[] places, Found found) {
      target.put(places[place], found);
    }
  }

  /** Member of a oneof, which replaces the members that were met before it. */
  record Replace(Set<Integer> others, int ownWireType) implements Step {
    @Override
    public void meet(ProtobufCursor cursor, int wireType, Object[] places, Found found) {
      if (wireType != ownWireType) return;
      for (int other : others) places[other] = null;
    }
  }

  /**
   * Repeated field.
   *
   * @param first targets of the first elements
   * @param others target of each later element
   */
  record Elements(int place, PathNode node, List<ProtobufTarget> first, ProtobufTarget others)
      implements Step {
    @Override
    public void meet(ProtobufCursor cursor, int wireType, Object[] places, Found found) {
      if (places[place] == null) places[place] = new int[1];
      int[] count = (int[]) places[place];
      int packed = others.packedWireType();
      if (packed < 0 || wireType != ProtobufCursor.LENGTH) {
        take(cursor, wireType, count, found);
        return;
      }
      int end = cursor.endOfPart();
      ProtobufCursor part = new ProtobufCursor(cursor.bytes(), cursor.position(), end);
      while (part.hasMore()) take(part, packed, count, found);
    }

    private void take(ProtobufCursor cursor, int wireType, int[] count, Found found) {
      ProtobufTarget target = count[0] < first.size() ? first.get(count[0]) : others;
      Object value = target.take(null, cursor, wireType);
      if (value == null) return;
      if (count[0] == 0) found.values().openList(node);
      count[0]++;
      target.put(value, found);
    }

    @Override
    public void finish(Object[] places, Found found) {
      int count = places[place] == null ? 0 : ((int[]) places[place])[0];
      if (node.isLeaf() && count > 0) found.values().put(node, new Values.Structure(true, count));
    }
  }

  /**
   * Map, of which an entry is a message with the key in field 1 and the value in field 2. The last
   * entry with a key counts.
   *
   * @param wanted targets of the values, by key
   * @param attributes type of the values that are attributes
   */
  record Entries(
      int place,
      PathNode node,
      Map<String, ProtobufTarget> wanted,
      Key key,
      AttributeType attributes)
      implements Step {
    private static final int KEY = 1;
    private static final int VALUE = 2;

    /** Type of the keys of a map. */
    record Key(ProtobufScalar type) {
      /** Returns the key of an entry as text; one that is left out is zero or empty. */
      String of(ProtobufCursor entry) {
        Object key = null;
        while (entry.hasMore()) {
          int tag = entry.tag();
          int start = entry.position();
          boolean isKey = ProtobufCursor.number(tag) == KEY;
          if (isKey && ProtobufCursor.wireType(tag) == type.wireType()) key = type.read(entry);
          entry.moveTo(start);
          entry.skip(tag);
        }
        return (key == null ? type.zero() : key).toString();
      }
    }

    /** Type of the values of a map that are attributes; empty if they are none. */
    record AttributeType(Optional<ProtobufScalar> type) {}

    /** State: values by key, and all keys if their number is wanted. */
    private static final class Met {
      private final Map<String, Object> wanted = new LinkedHashMap<>();
      private final Map<String, Object> attributes = new LinkedHashMap<>();
      private final Set<String> keys = new HashSet<>();
    }

    @Override
    public void meet(ProtobufCursor cursor, int wireType, Object[] places, Found found) {
      if (wireType != ProtobufCursor.LENGTH) return;
      if (places[place] == null) places[place] = new Met();
      Met met = (Met) places[place];
      int end = cursor.endOfPart();
      int from = cursor.position();
      String name = key.of(new ProtobufCursor(cursor.bytes(), from, end));
      if (node.isLeaf()) met.keys.add(name);
      ProtobufTarget target = wanted.get(name);
      if (target != null) {
        met.wanted.put(name, value(new ProtobufCursor(cursor.bytes(), from, end), target));
      }
      if (attributes.type.isPresent()) {
        ProtobufTarget text = new ProtobufTarget.Plain(attributes.type.get());
        met.attributes.put(name, value(new ProtobufCursor(cursor.bytes(), from, end), text));
      }
    }

    private static Object value(ProtobufCursor entry, ProtobufTarget target) {
      Object value = null;
      while (entry.hasMore()) {
        int tag = entry.tag();
        int start = entry.position();
        if (ProtobufCursor.number(tag) == VALUE) {
          value = target.take(value, entry, ProtobufCursor.wireType(tag));
        }
        entry.moveTo(start);
        entry.skip(tag);
      }
      return value == null ? target.zero() : value;
    }

    @Override
    public void finish(Object[] places, Found found) {
      if (places[place] == null) return;
      Met met = (Met) places[place];
      met.wanted.forEach((name, value) -> wanted.get(name).put(value, found));
      met.attributes.forEach((name, value) -> found.attribute(name, value));
      if (node.isLeaf()) {
        found.values().put(node, new Values.Structure(false, met.keys.size()));
      }
    }
  }
}
