package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.Revision.FOR_GOOD;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Revisions that every instance has read, and revisions that some may not have read. */
class RightRuleReadTest extends ChangingHistory {
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
  void anEventJustBeforeTheBrokerGoesMayBeJudgedBeforeIt() {
    acknowledged(8_500, quota("a", 1_000, 0, FOR_GOOD));
    acknowledged(8_900, quota("b", 2_000, 0, FOR_GOOD));
    revisions.brokerGone(NOON_MS + 10_000, NOON_MS + 20_000);
    judgedBy(1_000, 9_500, 9_500);
    judgedBy(2_000, 9_500, 9_500);
    assertThat(violations()).isEmpty();

    judgedBy(FILE, 9_500, 9_500);
    assertThat(violations()).hasSize(1);
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
  void aFreezeAtAnotherTimeDoesNotMakeItLonger() {
    revisions.brokerGone(NOON_MS + 10_000, NOON_MS + 11_000);
    acknowledged(12_000, quota("a", 1_000, 0, FOR_GOOD));
    revisions.frozen(NOON_MS + 16_001, NOON_MS + 30_000);
    judgedBy(FILE, 16_000, 16_000);
    assertThat(violations()).isEmpty();

    judgedBy(FILE, 20_000, 20_000);
    assertThat(violations()).hasSize(1);
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
  void theReplayIsTheSameOnlyOfWhatWasSure() {
    acknowledged(1_000, quota("a", 1_000, 0, FOR_GOOD));
    run.allowedBy(run.published(TUNE, 1_500, 1_999), FILE - 1);
    assertThat(run.violationsOf(new SameAgain())).isEmpty();

    begin();
    run.allowedBy(run.published(TUNE, 1_500, 2_000), FILE - 1);
    assertThat(run.violationsOf(new SameAgain())).hasSize(1);
  }
}
