package io.sluice.guarantees.promise;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.FaultLog.Ending;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Modes.WithoutRedis;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** RightEnd with histories in which a fault determines the ends of events. */
class DueEndingsTest {
  private static final String TOO_SMALL =
      "150321 bytes are too many for allowed-actions: its max.message.bytes is ";
  private static final String REFUSED =
      "150321 bytes are too many for allowed-actions: it has refused a record of 150300 bytes";
  private static final long SMALL = 100_001;

  @TempDir private Path folder;
  private HandMade run;

  @BeforeEach
  void begin() {
    begin(Modes.plain());
  }

  private void begin(Modes modes) {
    run = new HandMade(modes, folder);
  }

  private List<String> violations() {
    return run.violationsOf(new RightEnd());
  }

  private void shrunk(long fromAfterNoonMs, long toAfterNoonMs) {
    long noonMs = HandMade.NOON_MS;
    run.notes().faults().shrunk(SMALL, noonMs + fromAfterNoonMs, noonMs + toAfterNoonMs);
  }

  private Kept mustEnd(Ending as) {
    Kept input = run.large("like");
    run.notes().faults().mustEnd(input.number(), as);
    return input;
  }

  @Test
  void anEventMayBeTooLargeForASizeThatTheTopicHad() {
    shrunk(0, 100);
    run.dead(run.input("post", 0), TOO_SMALL + SMALL);
    assertThat(violations()).isEmpty();

    run.dead(run.large("post"), TOO_SMALL + "90000");
    assertThat(violations())
        .singleElement()
        .asString()
        .contains("names 90000 bytes, a size that the topic never had");
  }

  @Test
  void noEventMayBeTooLargeForTheSizeThatTheTopicHasOtherwise() {
    run.dead(run.large("post"), TOO_SMALL + 1_048_588);
    assertThat(violations()).isEmpty();

    run.dead(run.input("post", 0), TOO_SMALL + 1_048_588);
    assertThat(violations()).singleElement().asString().contains("is a dead letter");
  }

  @Test
  void aRefusalCountsAsLongAsTheTopicIsSmall() {
    shrunk(0, 100);
    run.dead(run.published("post", 0, 50), REFUSED);
    assertThat(violations()).isEmpty();

    run.dead(run.published("post", 0, 60_000), REFUSED);
    assertThat(violations()).singleElement().asString().contains("is a dead letter");
  }

  @Test
  void whatCameAndEndedInASmallTopicWasTooLarge() {
    shrunk(0, 100);
    run.dead(mustEnd(Ending.TOO_LARGE), TOO_SMALL + SMALL);
    assertThat(violations()).isEmpty();

    run.allowed(mustEnd(Ending.TOO_LARGE));
    assertThat(violations())
        .singleElement()
        .asString()
        .contains("did not end as one whose fault was TOO_LARGE");
  }

  @Test
  void withWaitItIsADeadLetterThatNamesTheKey() {
    run.dead(mustEnd(Ending.UNREADABLE_COUNT), "the key sluice:{ann}:like:1:ann cannot be used");
    assertThat(violations()).isEmpty();

    run.dead(mustEnd(Ending.UNREADABLE_COUNT), "something else");
    run.allowed(mustEnd(Ending.UNREADABLE_COUNT));
    assertThat(violations()).hasSize(2);
  }

  @Test
  void aPolicyAppliesToAKeyThatCannotBeRead() {
    begin(SomeModes.without(WithoutRedis.ALLOW));
    run.allowedWithoutRedis(mustEnd(Ending.UNREADABLE_COUNT));
    assertThat(violations()).isEmpty();
    run.dead(mustEnd(Ending.UNREADABLE_COUNT), "the key sluice:{ann} cannot be used");
    assertThat(violations()).hasSize(1);
  }

  @Test
  void thePolicyToRejectAppliesToo() {
    begin(SomeModes.without(WithoutRedis.REJECT));
    run.rejectedWithoutRedis(mustEnd(Ending.UNREADABLE_COUNT));
    assertThat(violations()).isEmpty();

    run.allowed(mustEnd(Ending.UNREADABLE_COUNT));
    assertThat(violations()).hasSize(1);
  }
}
