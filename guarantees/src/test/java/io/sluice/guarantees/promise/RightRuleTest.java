package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.Revision.FOR_GOOD;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.evidence.Lives;
import io.sluice.guarantees.evidence.Revisions;
import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Revision.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RightRuleTest {
  private static final String TUNE = ChangingLimits.STORED;
  private static final String FLIP = ChangingLimits.VERDICTS;
  private static final long FILE = ChangingLimits.PERMITS_OF_FILE;

  @TempDir private Path folder;
  private Revisions revisions;
  private HandMade run;

  @BeforeEach
  void begin() {
    begin(Modes.plain());
  }

  private void begin(Modes modes) {
    revisions = Revisions.in(folder);
    run = new HandMade(modes, Lives.in(Path.of("/nowhere")), revisions);
  }

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
  void whatWasNotReadEverywhereMayBeKnownOrNot() {
    acknowledged(1_000, quota("a", 1_000, 0, FOR_GOOD));
    judgedBy(FILE, 1_500, 1_999);
    judgedBy(1_000, 1_500, 1_999);
    assertThat(violations()).isEmpty();
    assertThat(cases()).isZero();

    judgedBy(1_000, 1_500, 2_000);
    assertThat(cases()).isOne();
    judgedBy(FILE, 1_500, 2_000);
    assertThat(violations()).hasSize(1);
  }

  @Test
  void whoeverKnowsARevisionKnowsThoseBefore() {
    acknowledged(0, quota("a", 1_000, 0, FOR_GOOD));
    acknowledged(1, quota("b", 2_000, 0, FOR_GOOD));
    acknowledged(2, quota("a", 1_000, 0, 1));
    acknowledged(3, quota("b", 2_000, 0, 1));
    for (long permits : List.of(FILE, 1_000L, 2_000L)) judgedBy(permits, 10, 10);
    assertThat(violations()).isEmpty();
  }

  @Test
  void whileTheBrokerIsGoneWhatWasPublishedMeanwhileMayBeUnknown() {
    acknowledged(9_000, quota("a", 1_000, 0, FOR_GOOD));
    acknowledged(9_001, quota("b", 2_000, 0, FOR_GOOD));
    revisions.brokerGone(NOON_MS + 10_000, NOON_MS + 20_000);
    judgedBy(1_000, 25_000, 25_000);
    judgedBy(2_000, 25_000, 25_000);
    assertThat(violations()).isEmpty();

    judgedBy(FILE, 25_000, 25_000);
    judgedBy(1_000, 25_001, 25_001);
    assertThat(violations()).hasSize(2);
  }

  @Test
  void twoTimesWithoutTheBrokerInARowAreOne() {
    acknowledged(9_001, quota("a", 1_000, 0, FOR_GOOD));
    revisions.brokerGone(NOON_MS + 10_000, NOON_MS + 20_000);
    revisions.brokerGone(NOON_MS + 24_000, NOON_MS + 26_000);
    judgedBy(FILE, 31_000, 31_000);
    assertThat(violations()).isEmpty();

    judgedBy(FILE, 31_001, 31_001);
    assertThat(violations()).hasSize(1);
  }

  @Test
  void aFreezeIsNoExcuseUnlessTheBrokerIsGoneMeanwhile() {
    acknowledged(3_000, quota("a", 1_000, 0, FOR_GOOD));
    revisions.frozen(NOON_MS + 2_000, NOON_MS + 12_000);
    judgedBy(FILE, 9_000, 9_000);
    assertThat(violations()).hasSize(1);

    revisions.brokerGone(NOON_MS + 10_000, NOON_MS + 11_000);
    assertThat(violations()).isEmpty();
    judgedBy(FILE, 17_000, 17_000);
    assertThat(violations()).isEmpty();
    judgedBy(FILE, 17_001, 17_001);
    assertThat(violations()).hasSize(1);
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
  void aReplayKnowsEveryRevision() {
    acknowledged(1_000, quota("a", 1_000, 0, FOR_GOOD));
    Kept early = run.published(TUNE, 1_500, 1_999);
    run.allowedBy(early, FILE - 1);
    run.again();
    run.allowedBy(early, FILE - 1);
    assertThat(violations()).hasSize(1);
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

  @Test
  void theReplayIsTheSameOnlyOfWhatWasSure() {
    acknowledged(1_000, quota("a", 1_000, 0, FOR_GOOD));
    run.allowedBy(run.published(TUNE, 1_500, 1_999), FILE - 1);
    assertThat(run.violationsOf(new SameAgain())).isEmpty();

    revisions = Revisions.in(folder);
    run = new HandMade(Modes.plain(), Lives.in(Path.of("/nowhere")), revisions);
    run.allowedBy(run.published(TUNE, 1_500, 2_000), FILE - 1);
    assertThat(run.violationsOf(new SameAgain())).hasSize(1);
  }

  @Test
  void whatIsWrittenDownIsReadAgain() {
    acknowledged(5, verdict("a", FLIP, "ann", "", 7));
    acknowledged(6, quota("b", 5, 8, 9).tombstone());
    revisions.brokerGone(1, 2);
    revisions.frozen(3, 4);
    Revisions read = Revisions.in(folder);
    assertThat(read.all()).isEqualTo(revisions.all()).hasSize(2);
    assertThat(read.brokerGone()).containsExactly(new Revisions.Span(1, 2));
    assertThat(read.frozen()).containsExactly(new Revisions.Span(3, 4));
  }

  private void judgedBy(long permits, long atAfterNoonMs, long publishedAfterNoonMs) {
    run.allowedBy(run.published(TUNE, atAfterNoonMs, publishedAfterNoonMs), permits - 1);
  }

  private void acknowledged(long afterNoonMs, Revision revision) {
    revisions.acknowledged(revision, NOON_MS + afterNoonMs);
  }

  private static Revision quota(String id, long permits, long from, long until) {
    Revision quota = of(id, TUNE, "", "quota", ChangingLimits.quota(permits), from, Kind.HOLDS);
    return until == FOR_GOOD ? quota : quota.until(NOON_MS + until);
  }

  private static Revision verdict(String id, String limit, String user, String verdict, long from) {
    return of(id, limit, user, "verdict", verdict, from, Kind.HOLDS);
  }

  private static Revision of(
      String id, String limit, String user, String set, String text, long from, Kind kind) {
    return new Revision(id, limit, user, set, text, NOON_MS + from, FOR_GOOD, kind);
  }

  private List<String> violations() {
    return run.violationsOf(new RightRule());
  }

  private long cases() {
    return new RightRule().cases(run.history());
  }
}
