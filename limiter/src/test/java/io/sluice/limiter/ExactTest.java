package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExactTest {
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void productsAreThoseOfUnboundedIntegers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      long a = any(random);
      long b = any(random);
      long c = Math.max(1, any(random));
      long d = random.nextInt(4) == 0 ? Exact.mulDivFloor(a, b, c) : any(random);
      BigInteger product = BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
      BigInteger[] parts = product.divideAndRemainder(BigInteger.valueOf(c));
      BigInteger up = parts[0].add(BigInteger.valueOf(parts[1].signum()));
      assertThat(Exact.mulDivFloor(a, b, c))
          .as("seed %d: %d * %d / %d", seed, a, b, c)
          .isEqualTo(parts[0].min(MOST).longValue());
      assertThat(Exact.mulDivCeil(a, b, c))
          .as("seed %d: %d * %d / %d", seed, a, b, c)
          .isEqualTo(up.min(MOST).longValue());
      BigInteger other = BigInteger.valueOf(c).multiply(BigInteger.valueOf(d));
      assertThat(Exact.productAtMost(a, b, c, d))
          .as("seed %d: %d * %d <= %d * %d", seed, a, b, c, d)
          .isEqualTo(product.compareTo(other) <= 0);
    }
  }

  /** Returns a number of any length, in binary often all ones or a single one. */
  private static long any(SplittableRandom random) {
    long ones = Long.MAX_VALUE >>> random.nextInt(63);
    return switch (random.nextInt(4)) {
      case 0 -> ones;
      case 1 -> ones == Long.MAX_VALUE ? 0 : ones + 1;
      default -> random.nextLong() & ones;
    };
  }
}
