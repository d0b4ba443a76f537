package io.sluice.topology;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sluice.testing.Arrows;
import io.sluice.testing.Circles;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests of the topology's packages: their order, and that few classes depend on each other in a
 * cycle.
 */
class RoomsTest {
  private static final String TOPOLOGY = "io.sluice.topology";
  private static final String ROOT = "the whole";
  private static final int MOST_IN_A_CYCLE = 3;

  /** Packages in order; each may use only those before it. */
  private static final List<String> ORDER =
      List.of(
          "config",
          "watch",
          "metrics",
          "redis",
          "intake",
          "prefetch",
          "store",
          "delay",
          "queue",
          "metering",
          ROOT,
          "simulation");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(TOPOLOGY);

  /** Types that users may call; {@link PublicApiTest} lists their members. */
  static final Set<String> FOR_USERS =
      Set.of(
          "ThrottleTopology",
          "config.SluiceConfig",
          "config.ConfigReport",
          "simulation.Simulation",
          "simulation.SimulatedVerdict");

  @Test
  void everyRoomCallsOnlyThoseBelow() {
    Arrows.downwards(TOPOLOGY, ORDER, room -> resideInAPackage(packageOf(room))).check(CLASSES);
  }

  private static String packageOf(String room) {
    return room.equals(ROOT) ? TOPOLOGY : TOPOLOGY + "." + room;
  }

  @Test
  void everyPackageIsKnown() {
    assertThat(
            CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(groupingBy(JavaClass::getPackageName, counting())))
        .containsOnlyKeys(ORDER.stream().map(RoomsTest::packageOf).toList());
  }

  @Test
  void inARoomFewClassesCallEachOtherInACircle() {
    assertThat(Circles.largest(CLASSES, RoomsTest::isOurs))
        .as("those that call each other in a circle")
        .hasSizeLessThanOrEqualTo(MOST_IN_A_CYCLE);
  }

  private static boolean isOurs(Dependency call) {
    return call.getTargetClass().getName().startsWith(TOPOLOGY);
  }
}
