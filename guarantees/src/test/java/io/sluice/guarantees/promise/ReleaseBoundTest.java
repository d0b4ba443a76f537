package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.QueueLimits.PAGE;
import static io.sluice.guarantees.scenario.QueueLimits.PARCEL;
import static io.sluice.guarantees.scenario.QueueLimits.TEXT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NeverOverLimit with the quotas of queue limits, at the instants of release. */
class ReleaseBoundTest {
  @TempDir private Path folder;
  private HandMade run = new HandMade();

  private void released(String user, String target, String action, long... afterNoonMs) {
    for (long at : afterNoonMs) run.released(run.inputOf(user, target, action, 1), at);
  }

  private List<String> violations() {
    return run.violationsOf(new NeverOverLimit());
  }

  @Test
  void aFunnelMayReleaseItsBurstAndWhatTheWindowAndATickAdd() {
    released("ann", "home", PARCEL, 0, 0, 0, 0, 150, 400, 650);
    assertThat(violations()).isEmpty();
    assertThat(new NeverOverLimit().cases(run.history())).isEqualTo(7);

    released("ann", "home", PARCEL, 650);
    assertThat(violations())
        .singleElement()
        .asString()
        .contains("courier of ann: 8 permits released, more than 4/1000ms and a tick allow");
  }

  @Test
  void aReleaseOfTwoPermitsCountsTwice() {
    released("ann", "home", PARCEL, 0, 0, 0);
    run.released(run.inputOf("ann", "home", PARCEL, 2), 0);

    assertThat(violations()).hasSize(1);
  }

  @Test
  void aLogReleasesNoMoreThanItsPermitsInAPeriodLessATick() {
    released("ann", "vendor0", TEXT, 0, 1_000, 2_000, 3_000, 3_900);
    assertThat(violations()).isEmpty();

    released("ann", "vendor0", TEXT, 3_899);
    assertThat(violations()).singleElement().asString().contains("phone of ann");
  }

  @Test
  void usersOfAllPartitionsShareALimitByTarget() {
    for (String user : List.of("ann", "bob", "eve", "joe", "kim", "sue", "tom")) {
      released(user, "vendor0", PAGE, 0);
      released(user, "vendor1", PARCEL, 0);
    }

    assertThat(violations()).singleElement().asString().contains("vendor of vendor0: 7 permits");
  }

  @Test
  void aFaultAllowsRepeatedReleasesUnderALimitInRedisOnly() {
    run = new HandMade(Modes.plain(), folder);
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS - 9_000, NOON_MS - 8_000);
    released("ann", "vendor0", PAGE, 0, 0, 0, 0, 0, 0, 0);
    assertThat(violations()).isEmpty();

    released("ann", "vendor0", PARCEL, 0, 0, 0, 0, 0);
    assertThat(violations()).singleElement().asString().contains("courier of ann");
  }

  /** Releases pages long after a fault, and before them one of a published time. */
  private List<String> afterAFault(long publishedMs, long firstMs) throws IOException {
    run = new HandMade(Modes.plain(), Files.createTempDirectory(folder, ""));
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS - 50_000, NOON_MS - 45_000);
    run.released(run.publishedBy("ann", PAGE, publishedMs), firstMs);
    released("ann", "home", PAGE, 0, 0, 0, 0, 0, 0, 0);
    return violations();
  }

  @Test
  void aFaultAllowsRepeatedReleasesUntilThePartitionReleasesAgain() throws IOException {
    assertThat(afterAFault(-46_000, 0)).as("no release since the fault").isEmpty();
    assertThat(afterAFault(-46_000, -201)).as("more than a tick and a commit ago").hasSize(1);
    assertThat(afterAFault(-44_000, 0)).as("published after the fault").hasSize(1);
  }

  /** An event comes in line long after a fault, though it was published before the fault. */
  @Test
  void afterAFaultOnlyEventsThatMayBeMeteredAgainAreAllowedMore() throws IOException {
    run = new HandMade(Modes.plain(), folder);
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS - 90_000, NOON_MS - 85_000);
    run.released(run.publishedBy("ann", PAGE, -86_000), -60_000);
    Kept again = run.publishedBy("ann", PAGE, -86_000);
    run.queued(again, -40_000, 40_000);
    run.released(again, 0);
    released("ann", "home", PAGE, 0, 0, 0, 0, 0, 0);
    assertThat(violations()).isEmpty();

    released("ann", "home", PAGE, 0);
    assertThat(violations()).singleElement().asString().contains("vendor of home: 8 permits");
  }

  @Test
  void aThreadThatLostItsPartitionsOrFailedIsAFault() throws IOException {
    run = new HandMade(Modes.plain(), folder);
    run.notes().faults().lasted(FaultKind.POISON, NOON_MS - 90_000, NOON_MS - 90_000);
    released("ann", "home", PAGE, 0, 0, 0, 0, 0, 0, 0);
    assertThat(violations()).hasSize(1);
    HandMade.fenced(folder, NOON_MS - 5_000);
    assertThat(violations()).isEmpty();
    HandMade.fenced(folder, NOON_MS - 80_000);
    assertThat(violations()).hasSize(1);
    HandMade.failed(folder, NOON_MS - 5_000);
    assertThat(violations()).isEmpty();
  }

  @Test
  void aRepeatedVerdictIsChargedOnce() {
    run = new HandMade(SomeModes.repeating());
    for (int i = 0; i < 9; i++) {
      run.released(run.input("user-actions", PARCEL, "the same", 0), 0);
    }

    assertThat(violations()).isEmpty();
  }

  @Test
  void anEventWithoutTheInstantOfItsReleaseIsUnclear() {
    Kept input = run.inputOf("ann", "home", PARCEL, 1);
    run.exempt(input);

    assertThat(violations())
        .singleElement()
        .asString()
        .contains("does not say when it was released");
  }

  @Test
  void nothingIsReleasedWithoutRedis() {
    Kept released = run.released(run.inputOf("ann", "vendor0", PAGE, 1), 0);
    released.record().headers().add("sluice-reason", "redis-unavailable".getBytes(UTF_8));

    assertThat(violations()).singleElement().asString().contains("was released without Redis");
  }
}
