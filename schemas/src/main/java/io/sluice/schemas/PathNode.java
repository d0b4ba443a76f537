package io.sluice.schemas;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Node of a {@link PathTree}, which stands for a place in a record: a value that is wanted, a step
 * on the way to such a value, or a place that no path needs. Immutable.
 */
public final class PathNode {
  private static final PathNode UNWANTED = new Builder("").build(0);

  private final String path;
  private final int[] slots;
  private final int[] slotsOfEach;
  private final Set<PathTree.Use> uses;
  private final int ordinal;
  private final Map<String, PathNode> named;
  private final Map<Integer, PathNode> elements;
  private final PathNode each; // null if there is none
  private final boolean attributes;
  private final boolean wanted;

  private PathNode(Builder from, int ordinal) {
    path = from.path;
    slots = from.slots.stream().mapToInt(Integer::intValue).toArray();
    slotsOfEach = from.each == null ? new int[0] : from.each.allSlots().toArray();
    uses = Set.copyOf(from.uses);
    this.ordinal = ordinal;
    named = new HashMap<>();
    from.named.forEach((name, child) -> named.put(name, child.build(named.size())));
    elements = new HashMap<>();
    from.elements.forEach((index, child) -> elements.put(index, child.build(0)));
    each = from.each == null ? null : from.each.build(0);
    attributes = from.attributes;
    wanted = isLeaf() || isInner();
  }

  /** Returns the node of the field or map entry with this name; an unwanted one if none is. */
  public PathNode child(String name) {
    PathNode child = named.get(name);
    return child == null ? UNWANTED : child;
  }

  /** Returns the node of the list element with this index; an unwanted one if none is. */
  public PathNode element(int index) {
    PathNode own = elements.isEmpty() ? null : elements.get(index);
    if (own != null) return own;
    return each == null ? UNWANTED : each;
  }

  /** Returns the highest index of an element with a node of its own; -1 if there is none. */
  public int highestElement() {
    return elements.keySet().stream().mapToInt(Integer::intValue).max().orElse(-1);
  }

  /** Returns the names of the fields and map entries directly below that are on a path. */
  public Set<String> names() {
    return named.keySet();
  }

  /** Returns whether a path takes the value here, or values from below. */
  public boolean isWanted() {
    return wanted;
  }

  /** Returns whether a path ends here. */
  public boolean isLeaf() {
    return slots.length > 0;
  }

  /** Returns whether a path takes values from below this node. */
  public boolean isInner() {
    return hasNames() || hasElements();
  }

  /** Returns whether fields or map entries below are wanted. */
  public boolean hasNames() {
    return attributes || !named.isEmpty();
  }

  /** Returns whether elements of a list are wanted. */
  public boolean hasElements() {
    return each != null || !elements.isEmpty();
  }

  /** Whether the scalar values directly below this node are the event's attributes. */
  public boolean isAttributes() {
    return attributes;
  }

  /**
   * Returns the number of this node among the nodes with names of its parent, from 0, so that a
   * reader can note which of them it has met.
   */
  public int ordinal() {
    return ordinal;
  }

  /** Returns the slots that take the value here. */
  public List<Integer> taking() {
    return Arrays.stream(slots).boxed().toList();
  }

  int[] slots() {
    return slots;
  }

  /** Returns the slots that collect values of the elements of the list here. */
  int[] slotsOfEach() {
    return slotsOfEach;
  }

  /** Returns for which purposes the value here is taken. */
  public Set<PathTree.Use> uses() {
    return uses;
  }

  /** Returns the path from the record to this node. */
  public String path() {
    return path;
  }

  /** Builder of a node and of all nodes below it. */
  static final class Builder {
    private final String path;
    private final Map<String, Builder> named = new HashMap<>();
    private final Map<Integer, Builder> elements = new HashMap<>();
    private Builder each;
    private final List<Integer> slots = new ArrayList<>();
    private final Set<PathTree.Use> uses = EnumSet.noneOf(PathTree.Use.class);
    private boolean attributes;

    Builder(String path) {
      this.path = path;
    }

    Builder below(PathStep step) {
      if (step.isName()) {
        String below = path.isEmpty() ? step.name() : path + "." + step.name();
        return named.computeIfAbsent(step.name(), absent -> new Builder(below));
      }
      if (!step.isEach()) {
        return elements.computeIfAbsent(
            step.index(), absent -> new Builder(path + "[" + step.index() + "]"));
      }
      if (each == null) each = new Builder(path + "[]");
      return each;
    }

    void takeInto(int slot) {
      slots.add(slot);
    }

    void use(PathTree.Use use) {
      uses.add(use);
    }

    void takeAttributes() {
      attributes = true;
    }

    private void addAll(Builder other) {
      slots.addAll(other.slots);
      uses.addAll(other.uses);
      other.named.forEach((name, child) -> below(PathStep.name(name)).addAll(child));
      other.elements.forEach((index, child) -> below(PathStep.element(index)).addAll(child));
      if (other.each != null) below(PathStep.each()).addAll(other.each);
    }

    private IntStream allSlots() {
      Stream<Builder> below = Stream.concat(named.values().stream(), elements.values().stream());
      if (each != null) below = Stream.concat(below, Stream.of(each));
      return IntStream.concat(
          slots.stream().mapToInt(Integer::intValue), below.flatMapToInt(Builder::allSlots));
    }

    /** Builds the node; called once. */
    PathNode build(int ordinal) {
      // An element with a path of its own is also one of all elements.
      if (each != null) elements.values().forEach(element -> element.addAll(each));
      return new PathNode(this, ordinal);
    }
  }
}
