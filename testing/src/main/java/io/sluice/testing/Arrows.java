package io.sluice.testing;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * ArchUnit rules for the dependencies between the packages of a module, called rooms. Both rules
 * also fail for a class outside of all rooms, and for a room without classes.
 */
public final class Arrows {
  private Arrows() {}

  /**
   * Returns the rule that each room (package) depends only on rooms earlier in the order.
   *
   * @param all package that contains all rooms
   * @param order names of the rooms, the lowest first
   * @param in returns the predicate for the classes of a room
   */
  public static LayeredArchitecture downwards(
      String all, List<String> order, Function<String, DescribedPredicate<JavaClass>> in) {
    LayeredArchitecture rooms = within(all);
    for (String room : order) rooms = rooms.layer(room).definedBy(in.apply(room));
    for (String room : order) {
      String[] below = order.subList(0, order.indexOf(room)).toArray(String[]::new);
      rooms =
          below.length == 0
              ? rooms.whereLayer(room).mayNotAccessAnyLayer()
              : rooms.whereLayer(room).mayOnlyAccessLayers(below);
    }
    return rooms;
  }

  /**
   * Returns the rule that each room (package) is called only by the rooms listed as its callers.
   *
   * @param all package that contains all rooms; its own classes are the top room, which no room
   *     calls
   * @param top name of the top room
   * @param callers permitted callers of each other room; a room is the subpackage of that name
   */
  public static LayeredArchitecture from(
      String all, String top, Map<String, List<String>> callers) {
    LayeredArchitecture rooms =
        within(all).layer(top).definedBy(all).whereLayer(top).mayNotBeAccessedByAnyLayer();
    for (String room : callers.keySet()) rooms = rooms.layer(room).definedBy(all + "." + room);
    for (var room : callers.entrySet()) {
      String[] few = room.getValue().toArray(String[]::new);
      rooms = rooms.whereLayer(room.getKey()).mayOnlyBeAccessedByLayers(few);
    }
    return rooms;
  }

  private static LayeredArchitecture within(String all) {
    return layeredArchitecture()
        .consideringOnlyDependenciesInAnyPackage(all + "..")
        .ensureAllClassesAreContainedInArchitecture();
  }
}
