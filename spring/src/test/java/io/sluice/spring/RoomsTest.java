package io.sluice.spring;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sluice.testing.Arrows;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for the starter's packages: their order, and the types of the root package. */
class RoomsTest {
  private static final String SPRING = "io.sluice.spring";
  private static final String FOR_ALL = "what users call";
  private static final String WHOLE = "the whole";

  /**
   * Each package depends only on those before it. The first and the last are both the root package:
   * users know their types by name.
   */
  private static final List<String> ORDER =
      List.of(
          FOR_ALL,
          "settings",
          "live",
          "method",
          "metering",
          "web",
          "proxy",
          "kafka",
          "watch",
          WHOLE);

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(SPRING);

  /** Public API since the first release; {@link PublicApiTest} lists its members. */
  static final Set<String> FOR_USERS =
      Set.of("Caller", "RateLimit", "RateLimitExceededException", "RateLimitKeyResolver");

  /** Types that Spring Boot creates, by their names in META-INF. */
  private static final Set<String> FOR_SPRING =
      Set.of("SluiceAutoConfiguration", "LimitMistakesAnalyzer");

  @Test
  void everyRoomCallsOnlyThoseBelow() {
    Arrows.downwards(SPRING, ORDER, RoomsTest::in).check(CLASSES);
  }

  private static DescribedPredicate<JavaClass> in(String room) {
    return describe("in " + room, each -> roomOf(each).equals(room));
  }

  private static String roomOf(JavaClass any) {
    if (!any.getPackageName().equals(SPRING)) {
      return any.getPackageName().replaceFirst("^io\\.sluice\\.spring\\.", "");
    }
    return FOR_USERS.contains(file(any)) ? FOR_ALL : WHOLE;
  }

  /** Returns the name of the top-level class that contains a class. */
  private static String file(JavaClass any) {
    String name = any.getBaseComponentType().getName();
    return name.substring(SPRING.length() + 1).replaceFirst("\\$.*", "");
  }

  @Test
  void everyPackageIsKnown() {
    assertThat(CLASSES.stream().filter(JavaClass::isTopLevelClass).map(RoomsTest::roomOf))
        .containsOnly(ORDER.toArray(String[]::new));
  }

  @Test
  void thePackageItselfHasOnlyWhatIsKnownByItsName() {
    assertThat(filesOf(CLASSES.stream().filter(each -> each.getPackageName().equals(SPRING))))
        .containsExactlyInAnyOrderElementsOf(union(FOR_USERS, FOR_SPRING, Set.of("package-info")));
  }

  private static Set<String> filesOf(Stream<JavaClass> classes) {
    Set<String> files = new TreeSet<>();
    classes.forEach(each -> files.add(file(each)));
    return files;
  }

  @SafeVarargs
  private static Set<String> union(Set<String>... sets) {
    Set<String> all = new TreeSet<>();
    for (Set<String> each : sets) all.addAll(each);
    return all;
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
