package io.sluice.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Rules for the packages that the command line may depend on. */
class ArchitectureTest {
  private static final String CLI = "io.sluice.cli";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(CLI);

  @Test
  void theCommandsRunWithoutTheEmbeddedServers() {
    classes()
        .that()
        .resideInAPackage(CLI + "..")
        .and()
        .haveNameNotMatching(".*\\.(EmbeddedServers|SimulationRedis).*")
        .should()
        .onlyDependOnClassesThat()
        .resideOutsideOfPackage("io.sluice.embedded..")
        .check(CLASSES);
  }

  @Test
  void theWallClockIsInjected() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .check(CLASSES);
  }
}
