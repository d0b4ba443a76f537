package io.sluice.spring;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sluice.rooms.Arrows;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for the starter's packages: their order, their size, and the types that others may use. */
class RoomsTest {
  private static final String SPRING = "io.sluice.spring";
  private static final String FOR_ALL = "what users call";
  private static final String WHOLE = "the whole";
  private static final long MOST_IN_A_ROOM = 20;

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

  /** Types that other packages use. */
  private static final Set<String> DOORS =
      Set.of(
          "live.LiveLimits",
          "metering.CallMeter",
          "metering.Claim",
          "metering.Metered",
          "metering.MeteredListener",
          "metering.RedisGate",
          "method.Ask",
          "method.Call",
          "method.Fallback",
          "method.LimitedMethod",
          "method.LimitedMethods",
          "method.MethodLimit",
          "method.MethodNames",
          "proxy.ListenerMethods",
          "proxy.NotYet",
          "proxy.PatientCaller",
          "proxy.StartCheck",
          "settings.ConfiguredLimits",
          "settings.ForCalls",
          "settings.LimitMistakesException",
          "web.CallerOf",
          "web.WebCall",
          "web.WebCallSource",
          "web.WebFluxCall");

  /** Types that only the auto-configuration uses. */
  private static final Set<String> PARTS =
      Set.of(
          "kafka.ContainerCalls",
          "kafka.LimitedListeners",
          "kafka.ListenerContainers",
          "proxy.BackgroundCalls",
          "proxy.RateLimitInterceptor",
          "proxy.RateLimitPostProcessor",
          "proxy.Turnstile",
          "settings.Generation",
          "watch.CallCounts",
          "watch.LimitsEndpoint",
          "web.MvcCall",
          "web.RateLimitProblems");

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
  void noRoomHoldsMoreThanCanBeSurveyed() {
    Map<String, Long> sizes =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .collect(groupingBy(RoomsTest::roomOf, counting()));
    assertThat(sizes)
        .containsOnlyKeys(ORDER)
        .allSatisfy((room, size) -> assertThat(size).as(room).isLessThanOrEqualTo(MOST_IN_A_ROOM));
  }

  @Test
  void thePackageItselfHasOnlyWhatIsKnownByItsName() {
    assertThat(filesOf(CLASSES.stream().filter(each -> each.getPackageName().equals(SPRING))))
        .containsExactlyInAnyOrderElementsOf(union(FOR_USERS, FOR_SPRING, Set.of("package-info")));
  }

  @Test
  void theTypesThatAreOpenToOthersAreAClosedList() {
    assertThat(
            filesOf(
                CLASSES.stream()
                    .filter(JavaClass::isTopLevelClass)
                    .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))))
        .containsExactlyInAnyOrderElementsOf(union(FOR_USERS, DOORS, PARTS));
  }

  @Test
  void aPartIsCalledByTheAutoConfigurationAlone() {
    for (JavaClass each : CLASSES) {
      if (!each.isTopLevelClass() || !PARTS.contains(file(each))) continue;
      assertThat(callers(each)).as(file(each)).containsOnly(WHOLE);
    }
  }

  private static Stream<String> callers(JavaClass any) {
    return any.getDirectDependenciesToSelf().stream()
        .map(call -> roomOf(call.getOriginClass().getBaseComponentType()))
        .filter(room -> !room.equals(roomOf(any)));
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
}
