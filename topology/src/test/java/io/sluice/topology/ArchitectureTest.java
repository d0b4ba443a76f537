package io.sluice.topology;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may know whom: DESIGN's layout, kept by the build. */
class ArchitectureTest {
  private static final String LIMITER = "io.sluice.limiter..";
  private static final String SCHEMAS = "io.sluice.schemas..";
  private static final String EMBEDDED = "io.sluice.embedded..";
  private static final String TOPOLOGY = "io.sluice.topology..";
  private static final String CLI = "io.sluice.cli..";

  private static final JavaClasses SLUICE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.sluice");

  @Test
  void theLimiterKnowsNeitherKafkaNorTheOtherModules() {
    noClasses()
        .that()
        .resideInAPackage(LIMITER)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.kafka..", "org.apache.avro..", SCHEMAS, EMBEDDED, TOPOLOGY, CLI)
        .check(SLUICE);
  }

  @Test
  void onlyTheRedisPackageKnowsJedis() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.sluice.limiter.redis..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("redis.clients..")
        .check(SLUICE);
  }

  @Test
  void schemasAndEmbeddedKnowNoOtherModule() {
    noClasses()
        .that()
        .resideInAPackage(SCHEMAS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.kafka..", LIMITER, EMBEDDED, TOPOLOGY, CLI)
        .check(SLUICE);
    noClasses()
        .that()
        .resideInAPackage(EMBEDDED)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(LIMITER, SCHEMAS, TOPOLOGY, CLI)
        .check(SLUICE);
  }

  @Test
  void theApplicationRunsWithoutTheEmbeddedServers() {
    noClasses()
        .that()
        .resideInAPackage(TOPOLOGY)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(EMBEDDED, CLI)
        .check(SLUICE);
    classes()
        .that()
        .resideInAPackage(CLI)
        .and()
        .haveNameNotMatching(".*\\.(EmbeddedServers|SimulationRedis).*")
        .should()
        .onlyDependOnClassesThat()
        .resideOutsideOfPackage(EMBEDDED)
        .check(SLUICE);
  }

  @Test
  void fewTypesOfTheTopologyArePublic() {
    assertThat(
            SLUICE.stream()
                .filter(each -> each.getPackageName().equals("io.sluice.topology"))
                .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(JavaClass::isTopLevelClass)
                .filter(each -> !each.isAssignableTo(Throwable.class))
                .map(JavaClass::getSimpleName))
        .containsExactlyInAnyOrder(
            "Sluice",
            "SluiceConfig",
            "Keys",
            "Simulation",
            "SimulatedVerdict", // what a simulation gives
            "PastRecords", // what it may read
            "PrefetchInterceptor", // which Kafka makes, by its name
            "TooLargeRecords", // and this
            "ThrottleTopology", // of which the benchmark runs parts alone
            "EventOpener",
            "EventDecoder",
            "EventRecord");
  }
}
