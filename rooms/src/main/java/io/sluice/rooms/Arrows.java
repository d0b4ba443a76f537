package io.sluice.rooms;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Who may call whom. A class that is in no room breaks either rule, and so does a room without
 * classes.
 */
public final class Arrows {
  private Arrows() {}

  /**
   * Each room calls only those before it.
   *
   * @param all the package of all
   * @param in tells which classes are in a room
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
   * Each room is called only by those that may.
   *
   * @param all the package of all, and of the room that nobody calls
   * @param top what that room is called
   * @param callers of each other room, which is the package of this name within
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
