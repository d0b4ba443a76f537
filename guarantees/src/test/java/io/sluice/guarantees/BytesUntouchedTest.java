package io.sluice.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytesUntouchedTest {
  private static final long AS_SENT_MS = HandMade.NOON_MS + 7;

  private final HandMade run = new HandMade();

  @ParameterizedTest
  @CsvSource({
    "ann, 1 as it came, 0, sluice-anything, ''",
    "bob, 1 as it came, 0, '', [key]",
    "ann, 1 as it left, 0, '', [value]",
    "ann, 1 as it came, 1, '', [timestamp",
    "ann, 1 as it came, 0, trace, [headers]",
  })
  void onlyHeadersOfSluiceMayBeAdded(
      String key, String value, long laterMs, String header, String differing) {
    run.allowedAs(run.input("post", 0), key, value, AS_SENT_MS + laterMs, header);

    if (differing.isEmpty()) assertThat(run.violationsOf(new BytesUntouched())).isEmpty();
    else {
      assertThat(run.violationsOf(new BytesUntouched()))
          .singleElement()
          .asString()
          .contains("is not what came in at user-actions-0-0: " + differing);
    }
  }

  @Test
  void noHeaderOfSluiceMayComeFromOutside() {
    run.allowedAs(run.input("post", 0), "ann", "1 as it came", AS_SENT_MS, "forged");

    assertThat(run.violationsOf(new BytesUntouched()))
        .singleElement()
        .asString()
        .contains("has a sluice-anything that came from outside");
  }

  @Test
  void whatIsTooLargeIsDeadWithoutItsValueAndSaysWhereThatIs() {
    run.deadWithoutValue(run.large("post"), "user-actions-0-0");
    assertThat(run.violationsOf(new BytesUntouched())).isEmpty();

    run.deadWithoutValue(run.large("post"), "user-actions-0-7");
    run.deadWithoutValue(run.input("post", 0), "user-actions-0-2");
    assertThat(run.violationsOf(new BytesUntouched()))
        .hasSize(2)
        .anyMatch(
            each -> each.contains("is said to be at 'user-actions-0-7', not user-actions-0-1"))
        .anyMatch(each -> each.contains("is not what came in at user-actions-0-2: [value]"));
  }

  @Test
  void headersMayBeWhatIsTooLarge() {
    run.deadWithoutHeaders(run.large("post"), "user-actions-0-0");
    assertThat(run.violationsOf(new BytesUntouched())).isEmpty();

    run.deadWithoutHeaders(run.input("post", 0), "user-actions-0-1");
    assertThat(run.violationsOf(new BytesUntouched()))
        .singleElement()
        .asString()
        .contains("is not what came in at user-actions-0-1: [headers]");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, true",
    "3000000, 0, true",
    "3000000, 3000000, true",
    "3000000, 7, false",
    "60000, 60000, true",
    "60000, 0, false"
  })
  void aTimestampThatCannotBeIsThatOfTheEvent(long cameMs, long leftMs, boolean sound) {
    long offsetMs = cameMs < 0 ? 0 : HandMade.NOON_MS;
    Kept input = run.stamped(offsetMs + cameMs);
    run.allowedAs(input, "ann", "1 as it came", HandMade.NOON_MS + leftMs, "");

    assertThat(run.violationsOf(new BytesUntouched()).isEmpty()).isEqualTo(sound);
  }

  @Test
  void aDeadLetterWithoutATimestampHasNoneThatCouldBeWrong() {
    Kept input = run.stamped(Sent.NONE);
    run.deadAt(input, HandMade.NOON_MS + 7);

    assertThat(run.violationsOf(new BytesUntouched())).isEmpty();
  }
}
