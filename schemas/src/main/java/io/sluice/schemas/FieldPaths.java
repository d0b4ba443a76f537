package io.sluice.schemas;

import java.util.EnumMap;
import java.util.Map;

/**
 * The paths in a record to the fields that metering needs: names with dots between them, through
 * nested records and maps. An empty path means that the record has no such field. Immutable.
 */
public final class FieldPaths {
  /** The names that {@link UserAction} has. */
  public static final FieldPaths DEFAULT = new FieldPaths(Map.of());

  /** The path of the record itself, which may serve as its own attributes. */
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
   * Paths by role, with the default for those that are not given.
   *
   * @throws IllegalArgumentException if a path is malformed, or overlaps that of another role
   */
  public static FieldPaths of(Map<Role, String> given) {
    return new FieldPaths(given);
  }

  /**
   * The same with another path for one role.
   *
   * @throws IllegalArgumentException if it is malformed, or overlaps that of another role
   */
  public FieldPaths with(Role role, String path) {
    Map<Role, String> given = new EnumMap<>(paths);
    given.put(role, path);
    return new FieldPaths(given);
  }

  /** The path of a role, as given; empty if the record has no such field. */
  public String of(Role role) {
    return paths.get(role);
  }

  /** The paths as a tree, for readers to go down along with a record. */
  public PathNode root() {
    return root;
  }
}
