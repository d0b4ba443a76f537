package io.sluice.limiter.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Compares the tables with the definition: random bits, thrown one after another. */
class StrengthTest {
  /** Returns the exact probability that a new pair is taken for one of n pairs, all with k bits. */
  private static double error(int n, int k) {
    double[] set = new double[Block.BITS + 1]; // probability that this many bits are set
    set[0] = 1;
    for (int thrown = 0; thrown < n * k; thrown++) {
      for (int x = Block.BITS; x > 0; x--) {
        double hit = (double) x / Block.BITS;
        set[x] = set[x] * hit + set[x - 1] * (1 - (double) (x - 1) / Block.BITS);
      }
      set[0] = 0;
    }
    double error = 0;
    for (int x = 0; x <= Block.BITS; x++) error += set[x] * Math.pow((double) x / Block.BITS, k);
    return error;
  }

  @Test
  void aFullBlockKeepsToItsLevelAndOnePairMoreWouldNot() {
    for (int level = Strength.leastLevel(); level <= Strength.mostLevel(); level++) {
      double most = Math.pow(2, -level);
      int n = Strength.pairs(level);
      assertThat(error(n, Strength.bits(level))).as("level %d", level).isLessThanOrEqualTo(most);
      for (int k = 1; k <= Strength.MOST_BITS; k++) {
        assertThat(error(n + 1, k)).as("level %d, %d bits", level, k).isGreaterThan(most);
      }
    }
  }

  /** Six generations, each with all the filters that it can have, all of them full. */
  @Test
  void allFiltersTogetherKeepToTheError() {
    for (double error : new double[] {FilterSize.LEAST_ERROR, 0.00001, 0.001, 0.003, 0.1}) {
      int first = new FilterSize(1, error).level();
      double sum = 0;
      for (int layer = 0; layer < Strength.MOST_LAYERS; layer++) {
        int level = Strength.level(first, layer);
        sum += 6 * error(Strength.pairs(level), Strength.bits(level));
      }
      assertThat(sum).as("error %s", error).isBetween(error / 3, error);
    }
  }
}
