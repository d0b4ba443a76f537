package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.QueueLimits.PARCEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.QueueRanks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories of the tenants t1, which has the weight 3, and t2 and t3. */
class FairShareTest {
  private static final long INTERVAL_MS = 250;

  @TempDir private Path folder;
  private HandMade run = new HandMade();

  private void parcel(String priority, String tenant, long cost, long cameMs, long leftMs) {
    Kept input = run.inputIn(priority, tenant, "ann", PARCEL, cost);
    if (leftMs > cameMs) run.queued(input, cameMs, 300);
    run.released(input, leftMs);
  }

  /**
   * Adds events that all came at one instant and left in this order of tenants, each of which has
   * one more event.
   */
  private void flood(long cameMs, String... tenants) {
    long leftMs = cameMs;
    for (String each : tenants) {
      leftMs += INTERVAL_MS;
      parcel("", each, 1, cameMs, leftMs);
    }
    for (String each : new TreeSet<>(List.of(tenants)))
      parcel("", each, 1, cameMs, leftMs + INTERVAL_MS);
  }

  private static String[] times(int times, String... tenants) {
    return Stream.generate(() -> tenants).limit(times).flatMap(Stream::of).toArray(String[]::new);
  }

  private List<String> violations() {
    return run.violationsOf(new FairShare());
  }

  private long cases() {
    return new FairShare().cases(run.history());
  }

  @Test
  void aTenantWithThreeTimesTheWeightGetsThreeTimesAsMuch() {
    flood(0, times(6, "t1", "t2", "t1", "t3", "t1"));

    assertThat(violations()).isEmpty();
    assertThat(cases()).isGreaterThan(30);
  }

  @Test
  void aWeightMustNotBeIgnored() {
    flood(0, times(4, "t1", "t2", "t3"));

    assertThat(violations())
        .hasSize(2)
        .first()
        .asString()
        .contains("courier of ann", "'t1' (weight 3) and 't2' (weight 1)", "differ by 1.67");
  }

  @Test
  void equalTenantsGetTheSame() {
    flood(0, times(5, "t2", "t3", "t3", "t2"));
    assertThat(violations()).isEmpty();

    run = new HandMade();
    flood(0, "t2", "t3", "t3", "t3", "t2");
    assertThat(violations()).singleElement().asString().contains("'t2'", "'t3'", "differ by 3.00");
  }

  @Test
  void theOrderOfArrivalIsNotFair() {
    flood(0, "t1", "t1", "t1", "t1", "t1", "t2", "t2", "t3", "t3");

    assertThat(violations()).isNotEmpty();
  }

  @Test
  void aSpanInTheMiddleMayBeUnfair() {
    flood(0, "t2", "t3", "t2", "t3", "t2", "t2", "t2", "t3", "t3", "t3", "t2", "t3");

    assertThat(violations()).singleElement().asString().contains("'t2'", "'t3'");
  }

  @Test
  void aLargeCostAllowsALargerDifference() {
    parcel("", "t2", 2, 0, 250);
    parcel("", "t3", 1, 0, 500);
    parcel("", "t3", 1, 0, 750);
    parcel("", "t3", 1, 0, 1_000);
    parcel("", "t2", 1, 0, 1_250);
    parcel("", "t3", 1, 0, 1_250);
    assertThat(violations()).isEmpty();
  }

  @Test
  void aTenantThatDoesNotWaitAllTheTimeGetsLess() {
    for (int i = 1; i <= 8; i++) {
      parcel("", "t2", 1, i * 250, i * 250 + 240);
      parcel("", "t3", 1, 0, i * 250);
    }

    assertThat(violations()).isEmpty();
  }

  @Test
  void anotherClassHasItsOwnShares() {
    for (int i = 1; i <= 8; i++) parcel("otp", "t2", 1, 0, i * 250);
    parcel("", "t2", 1, 0, 5_000);
    for (int i = 9; i <= 16; i++) parcel("", "t3", 1, 0, i * 250);

    assertThat(violations()).singleElement().asString().contains("from 1790000002000");
    run = new HandMade();
    for (int i = 1; i <= 8; i++) parcel("otp", "t2", 1, 0, i * 250);
    parcel("", "t2", 1, 0, 5_000);
    parcel("", "t3", 1, 0, 5_000);
    assertThat(violations()).isEmpty();
  }

  @Test
  void anEventThatMayHaveReachedAHigherClassDoesNotCount() {
    long oldMs = QueueRanks.AGING_MS;
    parcel("marketing", "t2", 1, 0, oldMs + 9_000);
    for (int i = 0; i < 20; i++) parcel("marketing", "t3", 1, oldMs - 500, oldMs + i * 250);
    parcel("marketing", "t3", 1, oldMs - 500, oldMs + 9_000);

    assertThat(violations()).isEmpty();
  }

  @Test
  void agedEventsOfTwoClassesHaveSharesInOne() {
    long oldMs = QueueRanks.AGING_MS + 1_500;
    parcel("marketing", "t2", 1, 0, oldMs + 9_000);
    for (int i = 0; i < 20; i++) parcel("bulk", "t3", 1, oldMs - 500, oldMs + i * 250);
    parcel("bulk", "t3", 1, oldMs - 500, oldMs + 9_000);

    assertThat(violations()).hasSize(1);
  }

  @Test
  void afterAQuietTimeSharesBeginAnew() {
    for (int i = 1; i <= 2; i++) parcel("", "t2", 1, 0, i * 250);
    for (int i = 1; i <= 2; i++) parcel("", "t2", 1, 0, 5_000 + i * 250);
    parcel("", "t2", 1, 0, 6_000);
    parcel("", "t3", 1, 0, 6_000);
    assertThat(violations()).isEmpty();

    run = new HandMade();
    for (int i = 1; i <= 4; i++) parcel("", "t2", 1, 0, i * 250);
    parcel("", "t2", 1, 0, 6_000);
    parcel("", "t3", 1, 0, 6_000);
    assertThat(violations()).hasSize(1);
  }

  /** Adds two releases of one tenant before an instant, and two after it. */
  private void twiceTwo(FaultKind kind, long fromMs, long toMs) throws IOException {
    run = new HandMade(Modes.plain(), Files.createTempDirectory(folder, ""));
    run.notes().faults().lasted(kind, NOON_MS + fromMs, NOON_MS + toMs);
    for (int i = 1; i <= 4; i++) parcel("", "t2", 1, 0, i * 250);
    parcel("", "t2", 1, 0, 6_000);
    parcel("", "t3", 1, 0, 6_000);
  }

  @Test
  void afterAMoveWithoutAQuietTimeSharesBeginAnew() throws IOException {
    twiceTwo(FaultKind.MOVE_ON, -14_400, -14_300);
    assertThat(violations()).isEmpty();

    twiceTwo(FaultKind.POISON, -14_400, -14_300);
    assertThat(violations()).hasSize(1);
  }

  @Test
  void beforeAndLongAfterAMoveSharesMustBeFair() throws IOException {
    twiceTwo(FaultKind.MOVE_ON, -16_000, -15_100);
    assertThat(violations()).hasSize(1);

    twiceTwo(FaultKind.KILL, 1_100, 1_200);
    assertThat(violations()).hasSize(1);
  }
}
