package io.sluice.schemas;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Paths to the values that a reader takes from records, as a tree in which readers descend together
 * with the record. Each path has a slot, in which the reader puts the value; see {@link Values}.
 * Immutable.
 */
public final class PathTree {
  /** Purpose of a value, by which a schema is checked before its first record. */
  public enum Use {
    TEXT("a string, a number, a boolean, an enum or a uuid"),
    COUNT("a number or a string with a whole number"),
    TIME(
        "a time: a number in a known unit, timestamp-millis, timestamp-micros or timestamp-nanos, or a string"),
    /** Any value: an unfit one is refused when it is read. */
    ANY("any value");

    private final String accepted;

    Use(String accepted) {
      this.accepted = accepted;
    }

    /** Returns the accepted types in words. */
    public String accepted() {
      return accepted;
    }
  }

  private final PathNode root;
  private final boolean[] lists;

  private PathTree(PathNode root, boolean[] lists) {
    this.root = root;
    this.lists = lists;
  }

  public PathNode root() {
    return root;
  }

  /** Returns a holder of the values at the paths, without any value. */
  public Values values() {
    return new Values(lists);
  }

  /** Builder of a tree from paths. Not thread-safe. */
  public static final class Builder {
    private final PathNode.Builder root = new PathNode.Builder("");
    private final Map<List<PathStep>, Integer> slots = new HashMap<>();
    private final List<Boolean> lists = new ArrayList<>();

    /** Adds a path, and returns its slot; a path that was added before keeps its slot. */
    public int add(List<PathStep> path, Use use) {
      PathNode.Builder place = at(path);
      place.use(use);
      Integer known = slots.get(path);
      if (known != null) return known;
      int slot = lists.size();
      lists.add(path.stream().anyMatch(PathStep::isEach));
      slots.put(List.copyOf(path), slot);
      place.takeInto(slot);
      return slot;
    }

    /** Adds the path of a map or record of which all scalar values are attributes. */
    public void addAttributes(List<PathStep> path) {
      at(path).takeAttributes();
    }

    private PathNode.Builder at(List<PathStep> path) {
      PathNode.Builder place = root;
      for (PathStep step : path) place = place.below(step);
      return place;
    }

    public PathTree build() {
      boolean[] collected = new boolean[lists.size()];
      for (int i = 0; i < collected.length; i++) collected[i] = lists.get(i);
      return new PathTree(root.build(0), collected);
    }
  }
}
