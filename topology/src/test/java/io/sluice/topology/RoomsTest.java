package io.sluice.topology;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.sluice.rooms.Arrows;
import io.sluice.rooms.Circles;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests of the topology's packages: their order, their sizes, and the types that other packages may
 * use.
 */
class RoomsTest {
  private static final String TOPOLOGY = "io.sluice.topology";
  private static final String ROOT = "the whole";
  private static final int MOST_IN_A_CYCLE = 3;

  /** Packages in order; each may use only those before it. */
  private static final List<String> ORDER =
      List.of(
          "event",
          "limit",
          "config",
          "revision",
          "watch",
          "metrics",
          "web",
          "redis",
          "intake",
          "prefetch",
          "store",
          "delay",
          "metering",
          "cluster",
          "live",
          "change",
          "ask",
          ROOT,
          "simulation");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(TOPOLOGY);

  /** Types that users may call; {@link PublicApiTest} lists their members. */
  static final Set<String> FOR_USERS =
      Set.of(
          "Sluice",
          "ThrottleTopology",
          "config.SluiceConfig",
          "config.ConfigurationException",
          "metrics.StartException",
          "config.ConfigReport",
          "event.Keys",
          "simulation.Simulation",
          "simulation.SimulatedVerdict");

  /** Types that Kafka instantiates by name. */
  private static final Set<String> FOR_KAFKA =
      Set.of("prefetch.PrefetchInterceptor", "cluster.FailedSends");

  /** Types that other packages of the topology may use. */
  private static final Set<String> DOORS =
      Set.of(
          "ThrottleNodes",
          "ask.Asking",
          "ask.Report",
          "change.ChangeRoutes",
          "change.Changes",
          "change.Session",
          "change.Words",
          "cluster.Cluster",
          "cluster.FollowedTopic",
          "cluster.LimitsTopic",
          "cluster.PastRecords",
          "cluster.RunningStreams",
          "config.HttpConfig",
          "config.LimitTexts",
          "config.RedisConfig",
          "config.Topics",
          "delay.DelayPath",
          "delay.KeyOrder",
          "delay.Retries",
          "delay.ThreadBudget",
          "event.EventDecoder",
          "event.Event",
          "event.Field",
          "event.Origin",
          "event.OutputTopics",
          "event.SchemaConfig",
          "event.UnreadableEventException",
          "intake.Arrivals",
          "intake.DeadLetters",
          "intake.EventOpener",
          "intake.EventRecord",
          "intake.HomePartitioner",
          "intake.InputLag",
          "intake.Nodes",
          "intake.Prefetched",
          "intake.RecordSizes",
          "limit.DelayHeaders",
          "limit.Limit",
          "limit.LimitKey",
          "limit.Limits",
          "limit.Match",
          "limit.Matching",
          "limit.Verdict",
          "limit.VerdictHeaders",
          "live.LiveLimits",
          "live.RevisionFollower",
          "live.RevisionTopic",
          "metering.MeterProcessor",
          "metrics.DelayGauges",
          "metrics.Health",
          "metrics.Instruments",
          "metrics.LimitsMetrics",
          "metrics.Monitoring",
          "metrics.RedisMetrics",
          "prefetch.Prefetch",
          "redis.PendingVerdict",
          "redis.RedisBreaker",
          "revision.CurrentLimits",
          "revision.LimitRevision",
          "revision.LimitsInForce",
          "revision.RevisionReader",
          "revision.RevisionStatus",
          "revision.Ruling",
          "revision.Scope",
          "store.HeapStores",
          "watch.Changes",
          "watch.Top",
          "watch.Watch",
          "web.Route",
          "web.WebServer");

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
  void theTypesThatAreOpenToOthersAreAClosedList() {
    List<String> open = new ArrayList<>(DOORS);
    open.addAll(FOR_USERS);
    open.addAll(FOR_KAFKA);
    assertThat(
            CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(each -> each.getModifiers().contains(JavaModifier.PUBLIC))
                .map(each -> each.getName().substring(TOPOLOGY.length() + 1)))
        .containsExactlyInAnyOrderElementsOf(open);
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
