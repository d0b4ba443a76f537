package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.QueueLimits.PAGE;
import static io.sluice.guarantees.scenario.QueueLimits.PARCEL;
import static io.sluice.guarantees.scenario.QueueLimits.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories of ann, who waits for her phone, and of a neighbour on the same partition. */
class NoHeadOfLineBlockingTest {
  private static final String NEIGHBOUR =
      Stream.iterate(0, i -> i + 1)
          .map(i -> "neighbour" + i)
          .filter(each -> Topics.home(each) == Topics.home("ann"))
          .findFirst()
          .orElseThrow();

  @TempDir private Path folder;
  private HandMade run;

  @BeforeEach
  void begin() {
    run = new HandMade(Modes.plain(), folder);
  }

  /** Adds a fault that lasts so long that only releases show that a partition is at work. */
  private void fault() {
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS - 60_000, NOON_MS + 60_000);
  }

  private void released(Kept input, long cameAfterNoonMs, long leftAfterNoonMs) {
    if (leftAfterNoonMs > cameAfterNoonMs) run.queued(input, cameAfterNoonMs, 300);
    run.released(input, leftAfterNoonMs);
  }

  private void released(String user, String target, String action, long cameMs, long leftMs) {
    released(run.inputOf(user, target, action, 1), cameMs, leftMs);
  }

  /** Adds a line of ann for which her phone is the reason to wait. */
  private void lineOfAnn() {
    for (int i = 0; i < 4; i++) released("ann", "vendor0", TEXT, 1_000 * i, 1_000 * i);
    for (int i = 4; i < 8; i++) released("ann", "vendor0", TEXT, 3_001, 1_000 * i);
  }

  private List<String> violations() {
    return run.violationsOf(new NoHeadOfLineBlocking());
  }

  @Test
  void whatWaitsThoughItConformsIsBlocked() {
    lineOfAnn();
    released(NEIGHBOUR, "home", PARCEL, 100, 6_500);

    assertThat(violations())
        .singleElement()
        .asString()
        .contains("event 9 (parcel of " + NEIGHBOUR, "each of its buckets conformed");
  }

  @Test
  void whatLeavesAtOnceIsNotBlocked() {
    fault();
    lineOfAnn();
    released(NEIGHBOUR, "home", PARCEL, 3_100, 3_100);
    released(NEIGHBOUR, "home", PARCEL, 3_950, 4_050);

    assertThat(violations()).isEmpty();
    assertThat(new NoHeadOfLineBlocking().cases(run.history())).isGreaterThanOrEqualTo(2);
  }

  @Test
  void aLineThatWaitsForAnotherBucketIsNoExcuse() {
    lineOfAnn();
    released(NEIGHBOUR, "vendor0", TEXT, 3_100, 6_500);

    assertThat(violations()).singleElement().asString().contains("text of " + NEIGHBOUR);
  }

  @Test
  void aFullBucketIsAnExcuse() {
    fault();
    for (int i = 0; i < 4; i++) released(NEIGHBOUR, "home", PARCEL, 0, 0);
    released("ann", "home", PARCEL, 1, 100);
    released("ann", "home", PARCEL, 1, 1_900);
    released(NEIGHBOUR, "home", PARCEL, 10, 4_000);

    assertThat(violations()).isEmpty();
  }

  @Test
  void anEventBeforeItIsAnExcuse() {
    released("ann", "vendor0", TEXT, 0, 14_000);
    released(NEIGHBOUR, "vendor0", TEXT, 1, 13_500);

    assertThat(violations()).singleElement().asString().contains("text of ann");
  }

  @Test
  void aFaultIsAnExcuseWhileThePartitionCatchesUp() {
    fault();
    released("ann", "home", PARCEL, 0, 9_000);
    released(NEIGHBOUR, "home", PARCEL, 1_950, 2_000);
    released(NEIGHBOUR, "home", PARCEL, 3_950, 4_000);
    assertThat(violations()).isEmpty();
  }

  @Test
  void withoutAFaultAPartitionIsAlwaysAtWork() {
    released("ann", "home", PARCEL, 0, 4_000);
    assertThat(violations()).isEmpty();

    released(NEIGHBOUR, "home", PARCEL, 0, 11_000);
    assertThat(violations()).singleElement().asString().contains("parcel of " + NEIGHBOUR);
  }

  @Test
  void aFaultOfRedisIsAnExcuseForALimitInRedis() {
    run.notes().faults().lasted(FaultKind.KILL_REDIS, NOON_MS, NOON_MS + 4_000);
    released("ann", "vendor1", TEXT, 0, 8_000);
    for (int i = 1; i < 6; i++) released(NEIGHBOUR, "home", PARCEL, i * 1_000, i * 1_000 + 100);

    assertThat(violations()).isEmpty();
  }

  @Test
  void aBusyPartitionThatReleasesOthersLateIsAnExcuse() {
    fault();
    lineOfAnn();
    released("ann", "home", PARCEL, 0, 4_500);
    released(NEIGHBOUR, "home", PARCEL, 100, 6_500);

    assertThat(violations()).isEmpty();
  }

  /** Adds events that share the vendor with ann's text, which waits though its buckets conform. */
  private List<String> violationsByClass(Kept before) {
    lineOfAnn();
    released(before, 3_050, 6_600);
    released(run.inputIn("", "t1", NEIGHBOUR, PAGE), 3_100, 6_500);
    return run.violationsOf(new NoHeadOfLineBlocking(true)).stream()
        .filter(each -> each.contains("event 10 "))
        .toList();
  }

  @Test
  void byClassAnEventOfALowerClassIsNoExcuse() {
    assertThat(violationsByClass(run.inputIn("marketing", "t1", NEIGHBOUR, PAGE))).hasSize(1);
  }

  @Test
  void byClassAnEventOfAHigherClassIsAnExcuse() {
    assertThat(violationsByClass(run.inputIn("otp", "t1", NEIGHBOUR, PAGE))).isEmpty();
  }

  @Test
  void byClassAnEventOfAnotherTenantIsAnExcuse() {
    assertThat(violationsByClass(run.inputIn("", "t2", NEIGHBOUR, PAGE))).isEmpty();
  }

  @Test
  void byClassALaterEventIsAnExcuseIfItIsOfAHigherClass() {
    for (String each : List.of("marketing", "otp")) {
      begin();
      lineOfAnn();
      released(run.inputIn("", "t1", NEIGHBOUR, PAGE), 3_100, 6_500);
      released(run.inputIn(each, "t1", NEIGHBOUR, PAGE), 3_200, 6_600);
      List<String> violations =
          run.violationsOf(new NoHeadOfLineBlocking(true)).stream()
              .filter(text -> text.contains("event 9 "))
              .toList();
      assertThat(violations).as(each).hasSize(each.equals("otp") ? 0 : 1);
    }
  }

  @Test
  void byClassALineThatWaitsForAnotherBucketIsNoExcuse() {
    lineOfAnn();
    released(NEIGHBOUR, "vendor0", TEXT, 3_100, 6_500);

    assertThat(run.violationsOf(new NoHeadOfLineBlocking(true)))
        .singleElement()
        .asString()
        .contains("text of " + NEIGHBOUR);
  }

  /** Adds events of the neighbour that are metered in time and leave at the next tick. */
  private void promptNeighbour() {
    for (long atMs = 500; atMs < 8_000; atMs += 500)
      released(run.publishedBy(NEIGHBOUR, PARCEL, atMs), atMs + 100, atMs + 150);
  }

  @Test
  void aFaultIsNoExcuseForAPartitionThatMetersNewEventsInTime() {
    fault();
    released("ann", "home", PARCEL, 0, 9_000);
    promptNeighbour();

    assertThat(violations()).singleElement().asString().contains("event 1 ");
  }

  @Test
  void aFaultIsAnExcuseForAPartitionThatMetersANewEventLate() {
    fault();
    released("ann", "home", PARCEL, 0, 9_000);
    promptNeighbour();
    for (long atMs = 1_200; atMs < 8_000; atMs += 500)
      released(run.publishedBy(NEIGHBOUR, PARCEL, atMs - 1_000), atMs, atMs);

    assertThat(violations()).isEmpty();
  }

  @Test
  void aFaultIsAnExcuseForAPartitionThatMayStandStill() {
    fault();
    released("ann", "home", PARCEL, 0, 9_000);
    for (long atMs = 500; atMs < 8_000; atMs += 1_100)
      released(run.publishedBy(NEIGHBOUR, PARCEL, atMs), atMs + 100, atMs + 150);

    assertThat(violations()).isEmpty();
  }

  @Test
  void afterAFaultAShortTimeIsNoProof() {
    fault();
    released(run.publishedBy("ann", PARCEL, 4_000), 4_010, 6_900);
    promptNeighbour();

    assertThat(violations()).isEmpty();
  }

  @Test
  void withoutRedisAPartitionMayReleaseNothingAtAll() {
    fault();
    released("ann", "home", PARCEL, 0, 9_000);
    promptNeighbour();
    run.notes().faults().lasted(FaultKind.FREEZE_REDIS, NOON_MS - 9_000, NOON_MS - 5_000);
    assertThat(violations()).hasSize(1);

    run.notes().faults().lasted(FaultKind.FREEZE_REDIS, NOON_MS - 1_000, NOON_MS + 1_000);
    assertThat(violations()).as("the rest is too short").isEmpty();
  }

  @Test
  void theEntryOfARemovedEventOnAnotherPartitionIsAnExcuse() {
    String stranger =
        Stream.iterate(0, i -> i + 1)
            .map(i -> "stranger" + i)
            .filter(each -> Topics.home(each) != Topics.home("ann"))
            .findFirst()
            .orElseThrow();
    for (String priority : List.of("marketing", "otp")) {
      begin();
      lineOfAnn();
      Kept removed = run.inputIn(priority, "t1", stranger, PAGE);
      run.queued(removed, 100, 300);
      run.removed(removed, "queue-expired", 3_000);
      released(run.inputIn("", "t1", NEIGHBOUR, PAGE), 3_100, 6_500);
      assertThat(run.violationsOf(new NoHeadOfLineBlocking(true)))
          .as(priority)
          .hasSize(priority.equals("otp") ? 0 : 1);
    }
  }

  @Test
  void aPauseIsAnExcuse() {
    released("ann", "home", PARCEL, 0, 9_000);
    promptNeighbour();
    assertThat(violations()).singleElement().asString().contains("event 1 ");

    Revision pause =
        new Revision(
            "p",
            "courier",
            "ann",
            "verdict",
            Revision.PAUSE,
            NOON_MS,
            NOON_MS + 8_900,
            Revision.Kind.HOLDS);
    run.notes().revisions().acknowledged(pause, NOON_MS - 2_000);
    assertThat(violations()).isEmpty();
  }
}
