package io.sluice.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sluice.testing.Arrows;
import io.sluice.testing.Circles;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for the benchmark's packages: dependencies and public types. */
class RoomsTest {
  private static final String BENCH = "io.sluice.bench";
  private static final String COMMAND = "the command";
  private static final int MOST_IN_A_CYCLE = 3;

  /** Packages that may use each package. */
  private static final Map<String, List<String>> CALLERS =
      Map.of(
          "report", List.of("apps", "throughput", "latency", "scale", "inprocess"),
          "input", List.of("lab", "run", "apps", "throughput", "latency", "scale"),
          "lab", List.of("run", "apps", "throughput", "latency", "scale", COMMAND),
          "run", List.of("apps", "throughput", "latency", "scale"),
          "apps", List.of("throughput", "latency", "scale"),
          "throughput", List.of(COMMAND),
          "latency", List.of(COMMAND),
          "scale", List.of(COMMAND),
          "inprocess", List.of(COMMAND));

  /** Types that Java and JMH call. */
  private static final Set<String> FOR_TOOLS =
      Set.of("BenchMain", "InProcessBenchmark", "Library", "Traffic");

  /** Classes of the benchmark, without those that JMH generates. */
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("jmh_generated"))
          .importPackages(BENCH);

  @Test
  void everyRoomIsCalledOnlyByThoseThatMay() {
    Arrows.from(BENCH, COMMAND, CALLERS).check(CLASSES);
  }

  @Test
  void everyPackageIsKnown() {
    assertThat(topLevel().map(JavaClass::getPackageName).distinct()).hasSize(CALLERS.size() + 1);
  }

  @Test
  void whatIsPublicIsCalledFromAnotherRoom() {
    assertThat(
            topLevel()
                .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(each -> !FOR_TOOLS.contains(each.getSimpleName())))
        .isNotEmpty()
        .allMatch(
            each -> each.getDirectDependenciesToSelf().stream().anyMatch(RoomsTest::crossesRooms));
  }

  private static Stream<JavaClass> topLevel() {
    return CLASSES.stream()
        .filter(JavaClass::isTopLevelClass)
        .filter(each -> !each.getSimpleName().equals("package-info"));
  }

  private static boolean crossesRooms(Dependency call) {
    JavaClass target = call.getTargetClass();
    return !target.getPackageName().equals(call.getOriginClass().getPackageName());
  }

  @Test
  void fewClassesCallEachOtherInACircle() {
    assertThat(Circles.largest(CLASSES, RoomsTest::isOurs))
        .as("those that call each other in a circle")
        .hasSizeLessThanOrEqualTo(MOST_IN_A_CYCLE);
  }

  private static boolean isOurs(Dependency call) {
    return call.getTargetClass().getName().startsWith(BENCH);
  }
}
