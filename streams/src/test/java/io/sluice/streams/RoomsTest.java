package io.sluice.streams;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The public types are a closed list. */
class RoomsTest {
  @Test
  void theTypesThatAreOpenToOthersAreAClosedList() {
    assertThat(
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .importPackages("io.sluice.streams")
                    .stream()
                    .filter(JavaClass::isTopLevelClass)
                    .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
                    .map(JavaClass::getSimpleName))
        .containsExactlyInAnyOrder("Throttle", "Throttled", "Action", "ThrottleClients");
  }
}
