package io.sluice.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Size and seeds of the random tests of all modules, from two system properties.
 *
 * <p>{@code -Dsluice.test.scale}: {@code small}, the default; {@code full}, the size for a release;
 * or a number, by which each small size is multiplied.
 *
 * <p>{@code -Dsluice.test.seed}: the first seed, to repeat a run. If it is empty or absent, each
 * JVM draws a random seed, and prints the seed at its first use.
 */
public final class TestScale {
  private static final String SCALE = "sluice.test.scale";
  private static final String SEED = "sluice.test.seed";

  private TestScale() {}

  private static final class Drawn {
    static final long SEED = announced(ThreadLocalRandom.current().nextInt(1_000_000_000));
  }

  /** Whether the tests run at full size. */
  public static boolean isFull() {
    return scale().equals("full");
  }

  /**
   * Returns the size of a random test, such as its number of rounds.
   *
   * @param small size at the default scale
   * @param full size at full scale
   */
  public static int of(int small, int full) {
    if (isFull()) return full;
    if (scale().equals("small")) return small;
    return Math.max(1, (int) Math.round(small * Double.parseDouble(scale())));
  }

  /** Returns the first seed for random tests. A test names its seed in its failures. */
  public static long seed() {
    String given = System.getProperty(SEED, "").trim();
    return given.isEmpty() ? Drawn.SEED : Long.parseLong(given);
  }

  /**
   * Returns consecutive seeds that start with {@link #seed}, as arguments of a parameterized test.
   * If {@code -Dsluice.test.seed} is the seed that failed, the first test repeats the failure.
   */
  public static LongStream seeds(int small, int full) {
    return LongStream.range(seed(), seed() + of(small, full));
  }

  /**
   * Returns the variants of a long test to run: all variants at full scale, otherwise {@code small}
   * of them (times the scale), drawn by the seed.
   */
  public static <T> Stream<T> some(int small, Stream<? extends T> all) {
    List<T> drawn = new ArrayList<>(all.toList());
    if (isFull()) return drawn.stream();
    Collections.shuffle(drawn, new Random(seed()));
    return drawn.stream().limit(of(small, small));
  }

  private static String scale() {
    String given = System.getProperty(SCALE, "").trim();
    return given.isEmpty() ? "small" : given;
  }

  private static long announced(long seed) {
    System.out.printf("Random tests: -D%s=%s -D%s=%d%n", SCALE, scale(), SEED, seed);
    return seed;
  }
}
