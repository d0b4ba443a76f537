package io.sluice.guarantees;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rooms of the suite and their arrows, which go one way, held by the build. */
class RoomsTest {
  private static final String SUITE = "io.sluice.guarantees";
  private static final String COMMAND = "the command";
  private static final int MOST_IN_A_CYCLE = 3;

  /** Each room, and which others may call it. */
  private static final Map<String, List<String>> CALLERS =
      Map.of(
          "scenario", List.of("evidence", "promise", "traffic", "bed", "fault", "run", COMMAND),
          "evidence", List.of("promise", "bed", "fault", "run", COMMAND),
          "promise", List.of(COMMAND),
          "traffic", List.of("fault", "run"),
          "bed", List.of("fault", "run"),
          "fault", List.of("run"),
          "run", List.of(COMMAND));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(SUITE);

  @Test
  void everyRoomIsCalledOnlyByThoseThatMay() {
    LayeredArchitecture rooms =
        layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(SUITE + "..")
            .ensureAllClassesAreContainedInArchitecture()
            .layer(COMMAND)
            .definedBy(SUITE)
            .whereLayer(COMMAND)
            .mayNotBeAccessedByAnyLayer();
    for (String room : CALLERS.keySet()) rooms = rooms.layer(room).definedBy(SUITE + "." + room);
    for (var room : CALLERS.entrySet()) {
      String[] callers = room.getValue().toArray(String[]::new);
      rooms = rooms.whereLayer(room.getKey()).mayOnlyBeAccessedByLayers(callers);
    }
    rooms.check(CLASSES);
  }

  @Test
  void inARoomFewClassesCallEachOtherInACircle() {
    Map<String, Set<String>> calls =
        CLASSES.stream()
            .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
            .filter(RoomsTest::isWithinARoom)
            .collect(
                Collectors.groupingBy(
                    call -> file(call.getOriginClass()),
                    Collectors.mapping(
                        call -> file(call.getTargetClass()),
                        Collectors.toCollection(TreeSet::new))));
    for (String one : calls.keySet()) {
      Set<String> circle = reachedFrom(one, calls);
      circle.removeIf(other -> !reachedFrom(other, calls).contains(one));
      assertThat(circle)
          .as("those that call each other in a circle")
          .hasSizeLessThanOrEqualTo(MOST_IN_A_CYCLE);
    }
  }

  private static boolean isWithinARoom(Dependency call) {
    JavaClass target = call.getTargetClass();
    return target.getPackageName().equals(call.getOriginClass().getPackageName());
  }

  /** A class and those within it are one. */
  private static String file(JavaClass any) {
    return any.getBaseComponentType().getName().replaceFirst("\\$.*", "");
  }

  private static Set<String> reachedFrom(String one, Map<String, Set<String>> calls) {
    Set<String> reached = new TreeSet<>();
    List<String> next = List.of(one);
    while (!next.isEmpty()) {
      next =
          next.stream()
              .flatMap(each -> calls.getOrDefault(each, Set.of()).stream())
              .filter(reached::add)
              .toList();
    }
    return reached;
  }
}
