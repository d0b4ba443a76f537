package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.QueueLimits.PAGE;
import static io.sluice.guarantees.scenario.QueueLimits.PARCEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Revision.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PauseKeptTest {
  @TempDir private Path folder;
  private HandMade run;

  @BeforeEach
  void begin() {
    run = new HandMade(Modes.plain(), folder);
  }

  private static Revision pause(String limit, String user, Kind kind) {
    return new Revision(
        "p", limit, user, "verdict", Revision.PAUSE, NOON_MS + 2_000, NOON_MS + 8_000, kind);
  }

  private void acknowledged(Revision revision, long atMs) {
    run.notes().revisions().acknowledged(revision, NOON_MS + atMs);
  }

  private void released(String user, String action, long... atMs) {
    for (long each : atMs) {
      Kept input = run.inputOf(user, "home", action, 1);
      run.queued(input, 0, 500);
      run.released(input, each);
    }
  }

  private List<String> violations() {
    return run.violationsOf(new PauseKept());
  }

  private long cases() {
    return new PauseKept().cases(run.history());
  }

  @Test
  void noEventLeavesDuringAPause() {
    acknowledged(pause("courier", "", Kind.HOLDS), 0);
    released("ann", PARCEL, 1_900, 8_000, 8_500);
    assertThat(violations()).isEmpty();
    assertThat(cases()).isEqualTo(2);

    released("bob", PARCEL, 3_000, 7_999);
    assertThat(violations())
        .hasSize(2)
        .first()
        .asString()
        .contains("parcel of bob", "though courier was paused from " + (NOON_MS + 2_000));
  }

  @Test
  void aPauseOfAUserIsForTheEventsOfTheUserOnly() {
    acknowledged(pause("courier", "ann", Kind.HOLDS), 0);
    released("bob", PARCEL, 5_000);
    released("ann", PAGE, 5_000);
    assertThat(violations()).isEmpty();

    released("ann", PARCEL, 5_000);
    assertThat(violations()).hasSize(1);
  }

  @Test
  void aPauseOfALimitInRedisHoldsUnlessAnInstanceStandsStill() {
    acknowledged(pause("vendor", "", Kind.HOLDS), 0);
    released("ann", PAGE, 5_000);
    assertThat(violations()).hasSize(1);

    run.notes().revisions().frozen(NOON_MS + 1_500, NOON_MS + 4_900);
    assertThat(violations()).isEmpty();
  }

  @Test
  void whileAPauseBeginsOrMayBeUnknownEventsMayLeave() {
    acknowledged(pause("courier", "", Kind.HOLDS), 4_000);
    released("ann", PARCEL, 2_500, 5_999);
    assertThat(violations()).isEmpty();

    released("ann", PARCEL, 6_000);
    assertThat(violations()).hasSize(1);
  }

  @Test
  void whileTheBrokerIsGoneAPauseMayBeUnknown() {
    acknowledged(pause("courier", "", Kind.HOLDS), 0);
    run.notes().revisions().brokerGone(NOON_MS + 500, NOON_MS + 3_000);
    released("ann", PARCEL, 7_900);

    assertThat(violations()).isEmpty();
  }

  @Test
  void aPauseMayEndEarly() {
    Revision pause = pause("courier", "", Kind.HOLDS);
    acknowledged(pause, 0);
    acknowledged(pause.until(NOON_MS + 5_000), 5_100);
    released("ann", PARCEL, 5_000, 6_000);
    assertThat(violations()).isEmpty();

    released("ann", PARCEL, 4_999);
    assertThat(violations()).hasSize(1);
  }

  @Test
  void aPauseThatIsRefusedHasNoEffect() {
    acknowledged(pause("courier", "", Kind.REFUSED), 0);
    released("ann", PARCEL, 5_000);

    assertThat(violations()).isEmpty();
    assertThat(cases()).isZero();
  }
}
