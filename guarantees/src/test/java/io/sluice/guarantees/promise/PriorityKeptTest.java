package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.QueueLimits.PAGE;
import static io.sluice.guarantees.scenario.QueueLimits.PARCEL;
import static io.sluice.guarantees.scenario.QueueLimits.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.QueueRanks;
import io.sluice.guarantees.scenario.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories of ann, a neighbour on the same partition, and a user on another partition. */
class PriorityKeptTest {
  private static final String NEIGHBOUR = user(home -> home == Topics.home("ann"));
  private static final String STRANGER = user(home -> home != Topics.home("ann"));

  /** Instants of overtakings that are a proof together. */
  private static final List<Long> OFTEN = List.of(1_500L, 2_800L, 3_900L, 4_500L);

  private static final long AGING_MS = QueueRanks.AGING_MS;

  @TempDir private Path folder;
  private HandMade run;

  private static String user(IntPredicate home) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> "user" + i)
        .filter(each -> home.test(Topics.home(each)))
        .findFirst()
        .orElseThrow();
  }

  @BeforeEach
  void begin() {
    run = new HandMade(Modes.plain(), folder);
  }

  private Kept left(Kept input, long cameMs, long leftMs) {
    if (leftMs > cameMs) run.queued(input, cameMs, 300);
    return run.released(input, leftMs);
  }

  private void parcel(String priority, long cameMs, long leftMs) {
    left(run.inputIn(priority, "t1", "ann", PARCEL), cameMs, leftMs);
  }

  private void page(String priority, String user, long cameMs, long leftMs) {
    left(run.inputIn(priority, "t1", user, PAGE), cameMs, leftMs);
  }

  private List<String> violations() {
    return run.violationsOf(new PriorityKept());
  }

  private long cases() {
    return new PriorityKept().cases(run.history());
  }

  @Test
  void anEventMustNotLeaveWhileOneOfAHigherClassWaits() {
    parcel("marketing", 0, 2_000);
    parcel("otp", 1_000, 2_250);

    assertThat(violations())
        .singleElement()
        .asString()
        .contains("event 1 (parcel", "(class 3) was released at", "while event 2 (parcel");
  }

  @Test
  void theHigherClassLeavesFirst() {
    parcel("marketing", 0, 2_250);
    parcel("otp", 1_000, 2_000);

    assertThat(violations()).isEmpty();
    assertThat(cases()).isOne();
  }

  @Test
  void valuesWithoutAClassOfTheirOwnAreOneClassAboveMarketing() {
    parcel("bulk", 0, 2_000);
    parcel("", 0, 2_250);
    assertThat(violations()).isEmpty();
    assertThat(cases()).isZero();

    parcel("marketing", 5_000, 7_000);
    parcel("", 5_000, 8_000);
    assertThat(violations()).singleElement().asString().contains("event 3", "while event 4");
  }

  @Test
  void aNewEventMustNotPassAtOnceEither() {
    parcel("otp", 0, 2_000);
    parcel("marketing", 1_000, 1_000);

    assertThat(violations()).hasSize(1);
  }

  @Test
  void aClassRisesWithTheTimeInLine() {
    parcel("marketing", 0, 2 * AGING_MS + 1_500);
    parcel("transactional", 2 * AGING_MS, 2 * AGING_MS + 2_000);
    assertThat(violations()).isEmpty();
    assertThat(cases()).isZero();

    begin();
    parcel("marketing", 0, 2 * AGING_MS + 5_000);
    parcel("bulk", 2 * AGING_MS, 2 * AGING_MS + 2_000);
    assertThat(violations())
        .singleElement()
        .asString()
        .contains("(class 2) was released", "(class 1) waited");
  }

  @Test
  void onlyAnEventThatNeedsNoMorePermitsCouldHaveLeft() {
    left(run.inputIn("marketing", "t1", "ann", PARCEL, 1), 0, 2_000);
    left(run.inputIn("otp", "t1", "ann", PARCEL, 2), 1_000, 2_250);
    assertThat(violations()).isEmpty();

    left(run.inputIn("marketing", "t1", "bob", PARCEL, 2), 0, 2_000);
    left(run.inputIn("otp", "t1", "bob", PARCEL, 2), 1_000, 2_250);
    assertThat(violations()).hasSize(1);
  }

  @Test
  void onlyTheFirstOfALineCouldHaveLeft() {
    left(run.inputIn("otp", "t1", "ann", PARCEL, 2), 500, 2_250);
    left(run.inputIn("otp", "t1", "ann", PARCEL, 1), 1_000, 2_500);
    left(run.inputIn("marketing", "t1", "ann", PARCEL, 1), 0, 2_000);
    assertThat(violations()).isEmpty();

    left(run.inputIn("otp", "t2", "ann", PARCEL, 1), 1_000, 2_500);
    assertThat(violations()).hasSize(1);
  }

  @Test
  void anEventThatHasJustComeOrIsAheadOfItsTimeCouldNotHaveLeft() {
    parcel("marketing", 0, 2_000);
    parcel("otp", 1_950, 2_250);
    Kept ahead = run.published(PARCEL, 1_900, 0);
    left(ahead, 0, 3_000);
    assertThat(violations()).isEmpty();
  }

  @Test
  void anEventThatHasLeftWithTheSameTickHasNotWaited() {
    parcel("marketing", 0, 2_000);
    parcel("otp", 1_000, 2_025);

    assertThat(violations()).isEmpty();
  }

  @Test
  void otherBucketsDoNotMatter() {
    left(run.inputIn("marketing", "t1", NEIGHBOUR, PARCEL), 0, 2_000);
    parcel("otp", 1_000, 2_250);

    assertThat(violations()).isEmpty();
  }

  @Test
  void aFaultIsNoExcuseForALimitInTheStateStore() {
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS - 9_000, NOON_MS + 9_000);
    parcel("marketing", 0, 2_000);
    parcel("otp", 1_000, 2_250);

    assertThat(violations()).hasSize(1);
  }

  @Test
  void withALimitInRedisAnEventMustBeOvertakenForLongerThanARest() {
    page("otp", "ann", 0, 5_500);
    page("marketing", "ann", 500, 2_000);
    page("marketing", NEIGHBOUR, 500, 3_400);
    page("marketing", NEIGHBOUR, 500, 4_600);
    assertThat(violations()).isEmpty();
    assertThat(cases()).isEqualTo(3);

    page("marketing", NEIGHBOUR, 500, 5_000);
    assertThat(violations()).singleElement().asString().contains("event 5", "while event 1");
  }

  @Test
  void twoCallsThatFailedAreNoProof() {
    page("otp", "ann", 0, 30_000);
    for (long atMs : List.of(2_000, 3_400, 12_000, 13_400, 26_000))
      page("marketing", NEIGHBOUR, 500, atMs);

    assertThat(violations()).isEmpty();
  }

  @Test
  void aFaultIsAnExcuseForALimitInRedis() {
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS + 100, NOON_MS + 200);
    page("otp", "ann", 0, 9_000);
    page("marketing", "ann", 500, 2_000);
    page("marketing", NEIGHBOUR, 500, 4_000);

    assertThat(violations()).isEmpty();
    assertThat(cases()).isZero();
  }

  @Test
  void partitionsShareALimitInRedisByClass() {
    page("otp", "ann", 0, 5_000);
    overtakenByStranger();
    assertThat(violations()).as("ann's partition may not be at work").isEmpty();

    for (long atMs = 1_500; atMs < 5_000; atMs += 1_400)
      left(run.inputIn("", "", NEIGHBOUR, PARCEL), atMs, atMs);
    assertThat(violations()).isNotEmpty().first().asString().contains("while event 1");
  }

  private void overtakenByStranger() {
    for (long atMs = 1_000; atMs < 4_800; atMs += 1_000) page("marketing", STRANGER, 500, atMs);
  }

  @Test
  void aPartitionThatHasJustReleasedAnotherEventHasNoEntry() {
    page("otp", "ann", 0, 5_000);
    overtakenByStranger();
    for (long atMs = 900; atMs < 5_000; atMs += 500) page("otp", NEIGHBOUR, atMs, atMs);

    assertThat(violations()).isEmpty();
  }

  /** Adds events that were overtaken when a fault was over for longer than Redis needs. */
  private void afterAFault(String action) {
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS - 20_000, NOON_MS - 10_000);
    page("otp", "ann", 0, 5_000);
    overtakenByStranger();
    for (long atMs = 400; atMs < 5_000; atMs += 1_000) {
      Kept other = run.inputOf(NEIGHBOUR, "elsewhere", action, 1);
      left(other, atMs - 100, atMs);
    }
  }

  @Test
  void arrivalsAreNoProofThatAnotherPartitionAsksRedisAfterAFault() {
    afterAFault(PARCEL);
    assertThat(violations()).isEmpty();
    assertThat(cases()).isZero();
  }

  @Test
  void releasesByRedisAreAProofThatAnotherPartitionAsks() {
    afterAFault(PAGE);

    assertThat(violations()).isNotEmpty().first().asString().contains("while event 1");
  }

  @Test
  void theEntryOfACancelledOrExpiredEventHoldsBackOtherPartitions() {
    for (String priority : List.of("otp", "marketing")) {
      begin();
      Kept removed = run.inputIn(priority, "t1", STRANGER, PAGE);
      run.queued(removed, 0, 300);
      run.removed(removed, "cancelled", 2_500);
      page("transactional", "ann", 0, 5_500);
      for (long atMs = 1_600; atMs < 5_000; atMs += 1_000) page("", NEIGHBOUR, 500, atMs);
      assertThat(violations()).as(priority).hasSize(priority.equals("otp") ? 0 : 1);
    }
  }

  @Test
  void anEventThatMayWaitForAnotherBucketCouldNotHaveLeft() {
    for (int i = 1; i < 5; i++) left(run.inputIn("", "", "ann", TEXT), 99 * i, 99 * i);
    left(run.inputIn("otp", "t1", "ann", TEXT), 500, 4_800);
    for (long atMs : OFTEN) page("marketing", NEIGHBOUR, 600, atMs);
    assertThat(violations()).isEmpty();

    begin();
    left(run.inputIn("otp", "t1", "ann", TEXT), 500, 4_800);
    for (long atMs : OFTEN) page("marketing", NEIGHBOUR, 600, atMs);
    assertThat(violations()).hasSize(1);

    left(run.inputIn("marketing", "t2", "ann", TEXT), 500, 4_700);
    assertThat(violations()).as("another line waits for the phone").isEmpty();
  }

  @Test
  void aRepeatedVerdictLeavesAtOnce() {
    Kept first = run.input("user-actions", PARCEL, "same", 0);
    Kept second = run.input("user-actions", PARCEL, "same", 0);
    left(first, 0, 0);
    left(second, 1_000, 1_000);
    parcel("otp", 0, 2_000);

    assertThat(violations()).isEmpty();
  }

  @Test
  void atLeastOnceNothingIsChecked() {
    run = new HandMade(SomeModes.atLeastOnce());
    parcel("marketing", 0, 2_000);
    parcel("otp", 1_000, 2_250);

    assertThat(violations()).isEmpty();
    assertThat(cases()).isZero();
  }
}
