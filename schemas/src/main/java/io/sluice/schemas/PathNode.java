package io.sluice.schemas;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Node of a tree of paths (see {@link FieldPaths}), which stands for a place in a record: a field
 * with a role, a step on the way to such a field, or a place that no path needs. Immutable.
 */
public final class PathNode {
  private static final PathNode UNWANTED = new PathNode("", List.of(), Map.of());

  private final String path;
  private final List<Role> role; // at most one role
  private final Map<String, PathNode> children;

  private PathNode(String path, List<Role> role, Map<String, PathNode> children) {
    this.path = path;
    this.role = role;
    this.children = children;
  }

  /**
   * Returns the node with this name directly below; a node that no path needs if no path leads
   * there.
   */
  public PathNode child(String name) {
    PathNode child = children.get(name);
    return child == null ? UNWANTED : child;
  }

  /** Returns the names of the nodes directly below that are on a path. */
  Set<String> names() {
    return children.keySet();
  }

  /**
   * Whether a path ends at this node and takes a single value from it; attributes are not a single
   * value.
   */
  public boolean isLeaf() {
    return !role.isEmpty() && !isAttributes();
  }

  /** Whether a path takes values from below this node. */
  public boolean isInner() {
    return isAttributes() || !children.isEmpty();
  }

  /** Whether the scalar values directly below this node are the event's attributes. */
  public boolean isAttributes() {
    return !role.isEmpty() && role.get(0) == Role.ATTRIBUTES;
  }

  /** Returns the role of the value at this node, which must be a leaf. */
  public Role role() {
    return role.get(0);
  }

  /** Returns the path from the record to this node, as it was given. */
  public String path() {
    return path;
  }

  /** Builder of a tree of nodes from paths. The path of the attributes must be added last. */
  static final class Builder {
    private final String path;
    private final Map<String, Builder> children = new HashMap<>();
    private List<Role> role = List.of();

    Builder() {
      this("");
    }

    private Builder(String path) {
      this.path = path;
    }

    void add(Role added, String at) {
      Builder place = this;
      if (!(added == Role.ATTRIBUTES && at.equals(FieldPaths.WHOLE))) {
        for (String name : at.split("\\.", -1)) {
          place.requireFree(added, at);
          place = place.below(name);
        }
      }
      place.requireFree(added, at);
      // A field with another role must not lie on the path to a field; only attributes can contain
      // other fields.
      if (added != Role.ATTRIBUTES)
        place.children.values().forEach(c -> c.requireAllFree(added, at));
      place.role = List.of(added);
    }

    private Builder below(String name) {
      if (name.isBlank()) {
        throw new IllegalArgumentException("a path is names with dots between");
      }
      return children.computeIfAbsent(
          name, absent -> new Builder(path.isEmpty() ? name : path + "." + name));
    }

    private void requireFree(Role added, String at) {
      if (role.isEmpty()) return;
      throw new IllegalArgumentException(
          "the %s (%s) and the %s (%s) must be separate fields"
              .formatted(role.get(0).label(), path, added.label(), at));
    }

    private void requireAllFree(Role added, String at) {
      requireFree(added, at);
      children.values().forEach(child -> child.requireAllFree(added, at));
    }

    PathNode build() {
      Map<String, PathNode> built = new HashMap<>();
      children.forEach((name, child) -> built.put(name, child.build()));
      return new PathNode(path, role, built);
    }
  }
}
