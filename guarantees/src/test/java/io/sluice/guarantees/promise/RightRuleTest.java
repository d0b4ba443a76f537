package io.sluice.guarantees.promise;

import static io.sluice.guarantees.scenario.Revision.FOR_GOOD;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Revision.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class RightRuleTest extends ChangingHistory {
  private static final String FLIP = ChangingLimits.VERDICTS;

  @Test
  void anEventIsJudgedByWhatHeldWhenItHappenedHoweverLateItComes() {
    acknowledged(-2_000, quota("a", 1_000, 0, 5_000));
    acknowledged(0, quota("b", 2_000, 2_000, FOR_GOOD));
    acknowledged(1, quota("c", 3_000, 2_500, 3_000));
    judgedBy(FILE, -1, 9_000);
    judgedBy(1_000, 0, 9_000);
    judgedBy(1_000, 1_999, 9_000);
    judgedBy(2_000, 2_000, 9_000);
    judgedBy(3_000, 2_999, 9_000);
    judgedBy(2_000, 3_000, 9_000);
    assertThat(violations()).isEmpty();
    assertThat(cases()).isEqualTo(6);

    judgedBy(FILE, 0, 9_000);
    judgedBy(1_000, 2_000, 9_000);
    judgedBy(2_000, 1_999, 9_000);
    judgedBy(3_000, 3_000, 9_000);
    assertThat(violations()).hasSize(4);
    assertThat(violations().get(0))
        .contains("event 7 (tune of ann", "was judged by '999/10s', and not by '1000/10s'");
  }

  @Test
  void whatIsRefusedOrTakenBackChangesNothing() {
    Revision planned = quota("a", 1_000, 5_000, FOR_GOOD);
    acknowledged(0, planned);
    acknowledged(0, of("b", TUNE, "", "quota", "2000/10s", 0, Kind.REFUSED));
    acknowledged(0, of("c", TUNE, "", "quota", "3000/10s", 0, Kind.GARBAGE));
    acknowledged(0, of("d", ChangingLimits.IN_REDIS, "", "quota", "4000/10s", 0, Kind.HOLDS));
    acknowledged(1_000, planned.tombstone());
    judgedBy(FILE, 6_000, 6_000);
    assertThat(violations()).isEmpty();

    for (long permits : List.of(1_000L, 2_000L, 3_000L, 4_000L)) judgedBy(permits, 6_000, 6_000);
    assertThat(violations()).hasSize(4);
  }

  @Test
  void aVerdictOnAUserIsTheLimitsOwnOrElseThatOfAllLimits() {
    acknowledged(0, verdict("a", Revision.EVERY_LIMIT, "ann", "reject", 0));
    acknowledged(0, verdict("b", FLIP, "ann", "allow", 1_000));
    acknowledged(0, verdict("c", FLIP, "ann", "meter", 2_000));
    acknowledged(0, verdict("d", FLIP, "ann", "", 3_000));
    acknowledged(0, verdict("e", FLIP, "bob", "allow", 0));
    run.allowedBy(run.published(FLIP, -1, 9_000), 7);
    run.denied(run.published(FLIP, 999, 9_000));
    run.exempt(run.published(FLIP, 1_000, 9_000));
    run.allowedBy(run.published(FLIP, 2_000, 9_000), 7);
    run.denied(run.published(FLIP, 3_000, 9_000));
    assertThat(violations()).isEmpty();

    run.denied(run.published(FLIP, -1, 9_000));
    run.exempt(run.published(FLIP, 999, 9_000));
    run.allowedBy(run.published(FLIP, 1_000, 9_000), 7);
    run.denied(run.published(FLIP, 2_000, 9_000));
    run.exempt(run.published(FLIP, 3_000, 9_000));
    assertThat(violations()).hasSize(5);
  }

  @Test
  void whatTellsNoQuotaIsWrong() {
    run.denied(run.published(TUNE, 0, 0));
    run.exempt(run.published(TUNE, 0, 0));
    assertThat(violations()).hasSize(2).allMatch(each -> each.contains("by 'no quota'"));
  }

  @Test
  void byTheWallClockAnyRuleFromPublishingToLeavingIsRight() {
    begin(SomeModes.byWallClock());
    acknowledged(0, quota("a", 1_000, 2_000, FOR_GOOD));
    acknowledged(0, quota("b", 2_000, 3_000, FOR_GOOD));
    acknowledged(0, quota("c", 3_000, 4_000, FOR_GOOD));
    for (long permits : List.of(1_000L, 2_000L)) {
      run.allowedBy(run.published(TUNE, -9_000, 2_500), permits - 1);
      run.allowedByAndTimed(run.published(TUNE, -9_000, 2_500), permits - 1, 3_999);
    }
    assertThat(violations()).isEmpty();

    for (long permits : List.of(FILE, 3_000L)) {
      run.allowedBy(run.published(TUNE, -9_000, 2_500), permits - 1);
      run.allowedByAndTimed(run.published(TUNE, -9_000, 2_500), permits - 1, 3_999);
    }
    assertThat(violations()).hasSize(4);
  }

  @Test
  void aVerdictWithoutRedisAndARecordThatIsThereTwiceTellNothing() {
    run.allowedWithoutRedis(run.published(ChangingLimits.IN_REDIS, 0, 0));
    Kept twice = run.published(TUNE, 0, 0);
    run.writtenAgain(twice);
    run.allowedBy(twice, FILE - 1);
    run.rejected(twice);
    assertThat(violations()).isEmpty();
  }
}
