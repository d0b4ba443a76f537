package io.sluice.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sluice.testing.Arrows;
import io.sluice.testing.Circles;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules for the dependencies between the suite's packages. */
class RoomsTest {
  private static final String SUITE = "io.sluice.guarantees";
  private static final String COMMAND = "the command";
  private static final int MOST_IN_A_CYCLE = 3;

  /** Packages that may use each package. */
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
    Arrows.from(SUITE, COMMAND, CALLERS).check(CLASSES);
  }

  @Test
  void inARoomFewClassesCallEachOtherInACircle() {
    assertThat(Circles.largest(CLASSES, RoomsTest::isWithinARoom))
        .as("those that call each other in a circle")
        .hasSizeLessThanOrEqualTo(MOST_IN_A_CYCLE);
  }

  private static boolean isWithinARoom(Dependency call) {
    JavaClass target = call.getTargetClass();
    return target.getPackageName().equals(call.getOriginClass().getPackageName());
  }
}
