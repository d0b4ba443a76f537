package io.sluice.bench.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The steps of {@link Scale}.
 *
 * @param keys how many there are in each step
 * @param waiting how many delayed events wait in each step
 * @param events so many are measured, of keys that are known
 * @param released so many delayed events leave while the others wait
 * @param warmsUp whether runs of half of each first step come before, for the compiler
 * @param further settings of all runs
 */
public record ScalePlan(
    List<String> stores,
    List<Integer> keys,
    List<Integer> waiting,
    int events,
    int released,
    boolean warmsUp,
    String guarantee,
    Map<String, String> further) {
  public static final int LEAST = 10_000;
  private static final int RELEASED = 150_000;
  private static final int RELEASED_QUICKLY = 30_000;

  public static ScalePlan of(
      boolean quick,
      int mostKeys,
      int mostWaiting,
      int events,
      String guarantee,
      Map<String, String> further) {
    return new ScalePlan(
        List.of("memory", "rocksdb"),
        steps(mostKeys),
        steps(mostWaiting),
        events,
        quick ? RELEASED_QUICKLY : RELEASED,
        !quick,
        guarantee,
        further);
  }

  /** Powers of ten from ten thousand on, and the most. */
  private static List<Integer> steps(int most) {
    List<Integer> steps = new ArrayList<>();
    for (long step = LEAST; step < most; step *= 10) steps.add((int) step);
    steps.add(most);
    return steps;
  }
}
