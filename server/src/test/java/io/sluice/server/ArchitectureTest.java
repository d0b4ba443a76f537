package io.sluice.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests of the permitted dependencies between modules, in the one below the command line, whose
 * class path has all others.
 */
@Tag("slow") // reads the classes of all modules
class ArchitectureTest {
  private static final String LIMITER = "io.sluice.limiter..";
  private static final String SCHEMAS = "io.sluice.schemas..";
  private static final String EMBEDDED = "io.sluice.embedded..";
  private static final String RULES = "io.sluice.rules..";
  private static final String EVENTS = "io.sluice.events..";
  private static final String TOPOLOGY = "io.sluice.topology..";
  private static final String LIVE = "io.sluice.live..";
  private static final String RUNTIME = "io.sluice.runtime..";
  private static final String SERVER = "io.sluice.server..";
  private static final String CLI = "io.sluice.cli..";

  private static final JavaClasses SLUICE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("/io/sluice/testing/"))
          .importPackages("io.sluice");

  @Test
  void allModulesAreChecked() {
    assertThat(Stream.of(LIMITER, SCHEMAS, RULES, EVENTS, TOPOLOGY, LIVE, RUNTIME, SERVER))
        .allMatch(each -> SLUICE.stream().anyMatch(JavaClass.Predicates.resideInAPackage(each)));
  }

  @Test
  void theLimiterKnowsNeitherKafkaNorTheOtherModules() {
    noClasses()
        .that()
        .resideInAPackage(LIMITER)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.kafka..",
            "org.apache.avro..",
            SCHEMAS,
            EMBEDDED,
            RULES,
            EVENTS,
            TOPOLOGY,
            LIVE,
            RUNTIME,
            SERVER,
            CLI)
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
        .resideInAnyPackage(
            "org.apache.kafka..",
            LIMITER,
            EMBEDDED,
            RULES,
            EVENTS,
            TOPOLOGY,
            LIVE,
            RUNTIME,
            SERVER,
            CLI)
        .check(SLUICE);
    noClasses()
        .that()
        .resideInAPackage(EMBEDDED)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(LIMITER, SCHEMAS, RULES, EVENTS, TOPOLOGY, LIVE, RUNTIME, SERVER, CLI)
        .check(SLUICE);
  }

  @Test
  void theRulesKnowNoStreams() {
    noClasses()
        .that()
        .resideInAPackage(RULES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.kafka.streams..", EMBEDDED, EVENTS, TOPOLOGY, LIVE, RUNTIME, SERVER, CLI)
        .check(SLUICE);
  }

  /** Commands read events as the application does. */
  @Test
  void eventsAreReadWithoutStreamsAndWithoutTheApplication() {
    noClasses()
        .that()
        .resideInAPackage(EVENTS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.kafka.streams..", EMBEDDED, TOPOLOGY, LIVE, RUNTIME, SERVER, CLI)
        .check(SLUICE);
  }

  @Test
  void theApplicationRunsWithoutAnyServer() {
    noClasses()
        .that()
        .resideInAPackage(TOPOLOGY)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(EMBEDDED, LIVE, RUNTIME, SERVER, CLI, "org.eclipse.jetty..")
        .check(SLUICE);
  }

  /** A rule in the pom also keeps them out of its dependencies. */
  @Test
  void theApplicationLeavesItsUsersTheirCommandLineTheirLoggingAndTheirTests() {
    noClasses()
        .that()
        .resideInAPackage(TOPOLOGY)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "picocli..",
            "org.apache.logging..",
            "ch.qos.logback..",
            "org.apache.kafka.streams.test..")
        .orShould()
        .dependOnClassesThat()
        .haveNameMatching(".*\\.(TopologyTestDriver|MockProcessorContext|Test(In|Out)putTopic).*")
        .check(SLUICE);
  }

  @Test
  void theWallClockIsInjected() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .check(SLUICE);
  }
}
