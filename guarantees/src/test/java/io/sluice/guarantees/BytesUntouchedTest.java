package io.sluice.guarantees;

import static org.assertj.core.api.Assertions.assertThat;

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
}
