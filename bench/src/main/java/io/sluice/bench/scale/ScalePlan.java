package io.sluice.bench.scale;

import java.util.ArrayList;
import java.util.List;

/**
 * Sizes of the runs of {@link Scale}.
 *
 * @param keys numbers of keys, one for each step
 * @param waiting numbers of delayed events, one for each step
 * @param lines numbers of lines in which an event waits, one for each step
 * @param events number of measured events of known keys
 * @param released number of events that are released while other events stay delayed
 * @param warmsUp whether runs of half the size of the first step come first, for the JIT compiler
 */
public record ScalePlan(
    List<String> stores,
    List<Integer> keys,
    List<Integer> waiting,
    List<Integer> lines,
    int events,
    int released,
    boolean warmsUp) {
  public static final int LEAST = 10_000;
  private static final int RELEASED = 150_000;
  private static final int RELEASED_QUICKLY = 30_000;

  public static ScalePlan of(
      boolean quick, int mostKeys, int mostWaiting, int mostLines, int events) {
    return new ScalePlan(
        List.of("memory", "rocksdb"),
        steps(mostKeys),
        steps(mostWaiting),
        steps(mostLines),
        events,
        quick ? RELEASED_QUICKLY : RELEASED,
        !quick);
  }

  /** Returns the sizes of the steps: the powers of ten from ten thousand on, then the maximum. */
  private static List<Integer> steps(int most) {
    List<Integer> steps = new ArrayList<>();
    for (long step = LEAST; step < most; step *= 10) steps.add((int) step);
    steps.add(most);
    return steps;
  }
}
