package io.sluice.server.ask;

import static java.util.Comparator.comparing;

import io.sluice.rules.limit.Verdict;
import io.sluice.topology.watch.Watch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Event counts of the last quarter of an hour by limit, verdict and ten-second step, summed over
 * the histories of several instances. Not thread-safe.
 */
final class CountSums {
  /* Sums cannot overflow: each number that is read is at most 2^50, and a few hundred are added. */
  private final long firstStep;
  private final int mostLines;
  private final Map<Name, Map<Verdict.Kind, long[]>> lines =
      new TreeMap<>(comparing(Name::shadow).thenComparing(Name::limit));

  private record Name(String limit, boolean shadow) {
    static Name of(Watch.Line line) {
      return new Name(line.limit(), line.shadow());
    }

    Map<Verdict.Kind, long[]> none() {
      return new EnumMap<>(Verdict.Kind.class);
    }
  }

  /**
   * Creates empty sums.
   *
   * @param lastStep number of the last ten-second step, counted from the epoch
   * @param mostLines maximum number of sums; there is one for each limit and mode, and further ones
   *     are left out
   */
  CountSums(long lastStep, int mostLines) {
    firstStep = lastStep - Watch.STEPS + 1;
    this.mostLines = mostLines;
  }

  private static long firstStep(Watch.History history) {
    return history.fromMs() / Watch.STEP_MS;
  }

  static long lastStep(Watch.History history) {
    return firstStep(history) + history.steps() - 1;
  }

  /** Whether a newer history of counts follows an older history without a missing step. */
  static boolean continues(Watch.History before, Watch.History now) {
    return lastStep(now) >= lastStep(before) && firstStep(now) <= lastStep(before) + 1;
  }

  /**
   * Joins an older history of counts and the newer one that continues it. For steps in both, the
   * newer history counts.
   */
  static Watch.History continued(Watch.History before, Watch.History now) {
    CountSums both = new CountSums(lastStep(now), CountsText.MOST_LINES);
    both.add(now, 0);
    both.add(before, 0, firstStep(now) - firstStep(before));
    return both.history();
  }

  /**
   * Adds the counts of a history, including its limits without events.
   *
   * @param later number of steps to add to the history's own times, because its clock is behind
   */
  void add(Watch.History history, long later) {
    for (Watch.Line each : history.lines()) {
      if (lines.size() < mostLines) lines.computeIfAbsent(Name.of(each), Name::none);
    }
    add(history, later, Watch.STEPS);
  }

  private void add(Watch.History history, long later, long steps) {
    long first = firstStep(history) + later - firstStep;
    long from = Math.max(0, -first);
    long to = Math.min(Math.min(steps, history.steps()), Watch.STEPS - first);
    for (Watch.Line line : history.lines()) {
      line.counts()
          .forEach(
              (kind, numbers) -> {
                if (from >= to || !hasAny(numbers, (int) from, (int) to)) return;
                long[] sums = sums(Name.of(line), kind);
                for (int i = (int) from; i < to; i++) sums[(int) (first + i)] += numbers[i];
              });
    }
  }

  private static boolean hasAny(long[] numbers, int from, int to) {
    return Arrays.stream(numbers, from, to).anyMatch(each -> each > 0);
  }

  /**
   * Returns the sums of one limit and verdict, by step; for a limit that is left out, an array that
   * is not kept.
   */
  private long[] sums(Name name, Verdict.Kind kind) {
    if (lines.size() >= mostLines && !lines.containsKey(name)) return new long[Watch.STEPS];
    return lines
        .computeIfAbsent(name, Name::none)
        .computeIfAbsent(kind, unused -> new long[Watch.STEPS]);
  }

  /**
   * Returns the sums as a history. A limit has no numbers for a verdict that none of its events
   * had.
   */
  Watch.History history() {
    List<Watch.Line> all = new ArrayList<>(lines.size());
    lines.forEach((name, counts) -> all.add(new Watch.Line(name.limit, name.shadow, counts)));
    return new Watch.History(firstStep * Watch.STEP_MS, Watch.STEP_MS, Watch.STEPS, all);
  }
}
