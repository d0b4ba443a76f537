package io.sluice.schemas;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A place in a record as {@link FieldPaths} sees it: a field that has a role, a step on the way to
 * one, or nothing that anybody wants. Immutable.
 */
public final class PathNode {
  private static final PathNode UNWANTED = new PathNode("", List.of(), Map.of());

  private final String path;
  private final List<Role> role; // of one at most
  private final Map<String, PathNode> children;

  private PathNode(String path, List<Role> role, Map<String, PathNode> children) {
    this.path = path;
    this.role = role;
    this.children = children;
  }

  /** The place of that name below this; one that nobody wants if no path goes there. */
  public PathNode child(String name) {
    PathNode child = children.get(name);
    return child == null ? UNWANTED : child;
  }

  /** The names of all the places right below that are on a path. */
  Set<String> names() {
    return children.keySet();
  }

  /** Whether a single value is wanted that is here, and not something below. */
  public boolean isLeaf() {
    return !role.isEmpty() && !isAttributes();
  }

  /** Whether something is wanted that is below. */
  public boolean isInner() {
    return isAttributes() || !children.isEmpty();
  }

  /** Whether the scalars right below are the attributes. */
  public boolean isAttributes() {
    return !role.isEmpty() && role.get(0) == Role.ATTRIBUTES;
  }

  /** What the value here is; only of a leaf. */
  public Role role() {
    return role.get(0);
  }

  /** The way here, as it was given. */
  public String path() {
    return path;
  }

  /** Grows a tree out of paths, the one of the attributes last. */
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
      // Only attributes may have other fields in them.
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
          "the %s (%s) and the %s (%s) need fields apart from each other"
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
