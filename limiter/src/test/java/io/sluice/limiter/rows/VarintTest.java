package io.sluice.limiter.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sluice.limiter.rows.Fields.Varint;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VarintTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 127, 128, 16_383, 16_384, 1L << 31, 1L << 62, Long.MAX_VALUE, -1})
  void whatIsWrittenIsReadAndAsLongAsSaid(long value) {
    assertRoundTrip(value);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void valuesOfEveryLengthAreReadAsWritten(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) assertRoundTrip(random.nextLong() >>> random.nextInt(64));
  }

  private static void assertRoundTrip(long value) {
    byte[] bytes = new byte[13];
    int end = Varint.write(bytes, 2, value);
    assertThat(Varint.read(bytes, 2)).isEqualTo(value);
    assertThat(Varint.size(value))
        .as("size of %d", value)
        .isEqualTo(end - 2)
        .isLessThanOrEqualTo(10);
  }

  @Test
  void aNumberThatNeverEndsIsRefused() {
    byte[] bytes = new byte[20];
    Arrays.fill(bytes, (byte) 0x80);
    assertThatIllegalStateException().isThrownBy(() -> Varint.read(bytes, 0));
  }
}
