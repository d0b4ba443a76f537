package io.sluice.bench.input;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/** A Zipf distribution with an exponent of 1: the n-th rank is met a n-th as often as the first. */
final class Zipf {
  private static final long SEED = 20_260_101;
  private static final Map<Integer, Zipf> KNOWN = new ConcurrentHashMap<>();

  /** The weights of all ranks up to each. */
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

  /** The rank, from 0 on, of the draw with this number: always the same. */
  int rank(long draw) {
    double point = new SplittableRandom(SEED + draw).nextDouble() * upTo[upTo.length - 1];
    int found = Arrays.binarySearch(upTo, point);
    return found < 0 ? -found - 1 : Math.min(found + 1, upTo.length - 1);
  }
}
