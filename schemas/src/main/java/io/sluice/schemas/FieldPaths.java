package io.sluice.schemas;

import java.util.EnumMap;
import java.util.Map;

/**
 * Paths to the fields of a record that metering needs. A path consists of names with dots between
 * them, through nested records and maps. An empty path means that the record has no such field.
 * Immutable.
 */
public final class FieldPaths {
  /** Default paths, which are those of the fields of {@link UserAction}. */
  public static final FieldPaths DEFAULT = new FieldPaths(Map.of());

  /** Path of the record itself, for a record whose own fields are its attributes. */
  public static final String WHOLE = ".";

  private final Map<Role, String> paths = new EnumMap<>(Role.class);
  private final PathNode root;

  private FieldPaths(Map<Role, String> given) {
    PathNode.Builder tree = new PathNode.Builder();
    for (Role role : Role.values()) {
      String path = given.getOrDefault(role, role.defaultPath());
      paths.put(role, path);
      if (!path.isEmpty()) tree.add(role, path);
    }
    root = tree.build();
  }

  /**
   * Returns paths by role, with the default path for each role that is not given.
   *
   * @throws IllegalArgumentException if a path is malformed, or overlaps the path of another role
   */
  public static FieldPaths of(Map<Role, String> given) {
    return new FieldPaths(given);
  }

  /**
   * Returns these paths with another path for one role.
   *
   * @throws IllegalArgumentException if the path is malformed, or overlaps the path of another role
   */
  public FieldPaths with(Role role, String path) {
    Map<Role, String> given = new EnumMap<>(paths);
    given.put(role, path);
    return new FieldPaths(given);
  }

  /**
   * Returns the path of a role, as it was given; empty if the record has no field with this role.
   */
  public String of(Role role) {
    return paths.get(role);
  }

  /** Returns the root of the paths as a tree, in which readers descend together with the record. */
  public PathNode root() {
    return root;
  }
}
