package io.sluice.limiter;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Checks the dependencies between the limiter's packages: registry, async and config, redis, the
 * limiter itself, filter, rows, downwards only.
 */
class RoomsTest {
  private static final String REGISTRY = "io.sluice.limiter.registry";
  private static final String CONFIG = "io.sluice.limiter.config";
  private static final String ASYNC = "io.sluice.limiter.async";
  private static final String REDIS = "io.sluice.limiter.redis";
  private static final String LIMITER = "io.sluice.limiter";
  private static final String ROWS = "io.sluice.limiter.rows";
  private static final String FILTER = "io.sluice.limiter.filter";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(LIMITER);

  private static void neverCalls(String lower, String... upper) {
    noClasses()
        .that()
        .resideInAPackage(lower)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(upper)
        .check(CLASSES);
  }

  @Test
  void aLowerRoomKnowsNoneAboveIt() {
    neverCalls(ROWS, FILTER, LIMITER, REDIS, ASYNC, CONFIG, REGISTRY);
    neverCalls(FILTER, LIMITER, REDIS, ASYNC, CONFIG, REGISTRY);
    neverCalls(LIMITER, REDIS, ASYNC, CONFIG, REGISTRY);
    neverCalls(REDIS, ASYNC, CONFIG, REGISTRY);
    neverCalls(ASYNC, CONFIG, REGISTRY);
    neverCalls(CONFIG, ASYNC, REGISTRY);
    slices().matching("(io.sluice.limiter..)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void metersInRedisKnowNoRows() {
    neverCalls(REDIS, ROWS);
    neverCalls(ASYNC, ROWS);
    neverCalls(CONFIG, ROWS);
    neverCalls(REGISTRY, ROWS);
  }

  @Test
  void everyPackageIsKnown() {
    assertThat(
            CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(groupingBy(JavaClass::getPackageName, counting())))
        .containsOnlyKeys(REGISTRY, ASYNC, CONFIG, REDIS, LIMITER, FILTER, ROWS);
  }

  /** The public types are those that other packages and implementations of a store use. */
  @Test
  void theRowsAreEnteredThroughFewTypes() {
    assertThat(
            CLASSES.stream()
                .filter(each -> each.getPackageName().equals(ROWS))
                .filter(JavaClass::isTopLevelClass)
                .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
                .map(JavaClass::getSimpleName))
        .containsExactlyInAnyOrder(
            "Rows",
            "HeapRows",
            "Storage",
            "Conditions",
            "RecentRecords",
            "StoredFormat",
            "UnknownFormatException",
            "Fields",
            "LastAdmitted",
            "LongLog",
            "BlockedRow",
            "ShortLog",
            "Fingerprint",
            "Registers",
            "RegisterCounts",
            "PriorCharge");
  }
}
