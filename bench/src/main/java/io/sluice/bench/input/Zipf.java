package io.sluice.bench.input;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/** Zipf distribution with exponent 1: the n-th rank has 1/n of the frequency of the first rank. */
final class Zipf {
  private static final long SEED = 20_260_101;
  private static final Map<Integer, Zipf> KNOWN = new ConcurrentHashMap<>();

  /** Cumulative weights of the ranks, unnormalized. */
  private final double[] upTo;

  private Zipf(int ranks) {
    upTo = new double[ranks];
    double sum = 0;
    for (int i = 0; i < ranks; i++) {
      sum += 1.0 / (i + 1);
      upTo[i] = sum;
    }
  }

  static Zipf over(int ranks) {
    return KNOWN.computeIfAbsent(ranks, Zipf::new);
  }

  /** Returns the rank, from 0 on, of the draw with this number; the same in every run. */
  int rank(long draw) {
    double point = new SplittableRandom(SEED + draw).nextDouble() * upTo[upTo.length - 1];
    int found = Arrays.binarySearch(upTo, point);
    return found < 0 ? -found - 1 : Math.min(found + 1, upTo.length - 1);
  }
}
