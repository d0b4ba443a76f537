package io.sluice.server.ask;

import static java.util.Comparator.comparing;

import io.sluice.rules.limit.Verdict;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.server.web.JsonText;
import io.sluice.topology.watch.Watch;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Event counts of all instances in the last quarter of an hour. An instance is asked again only
 * when the last request to it has ended, so a frozen instance delays no other. Thread-safe; no
 * method blocks.
 */
final class CountsOfAll {
  /*
   * Each event is counted by one process, in one time step. So the counts are kept by process and
   * step, and a response replaces the steps that it contains. No event is counted twice, however
   * often a count is sent, and the counts of a process that has ended stay until they are too old
   * to show.
   */
  private static final int MOST_RUNS = 256;

  private static final long KEPT_MS = Watch.STEPS * Watch.STEP_MS;

  private final String run;
  private final Watch watch;
  private final OtherInstances others;
  private final InstantSource clock;
  private final Map<String, Asked> asked = new TreeMap<>();
  private final Map<String, Run> runs = new HashMap<>();
  private boolean morePast;

  /** State of the requests to the address of one instance. */
  private static final class Asked {
    private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);
    private String missing = "it has not answered yet";
    private boolean all = true;
  }

  /**
   * Counts that one process has sent.
   *
   * @param later number of steps by which the clock of that process is behind this one's
   */
  private record Run(Watch.History history, long later, long toldMs) {
    static final Run NEW = new Run(new Watch.History(0, Watch.STEP_MS, 0, List.of()), 0, 0);
  }

  /**
   * Counts of all instances, summed.
   *
   * @param answered the instances that are included, this one first
   * @param unanswered the instances that do not answer at present
   */
  record Sum(Watch.History history, List<String> answered, List<Unanswered> unanswered) {}

  /**
   * Creates the counts of all instances, without asking any.
   *
   * @param run unique name of this process
   */
  CountsOfAll(String run, Watch watch, OtherInstances others, InstantSource clock) {
    this.run = run;
    this.watch = watch;
    this.others = others;
    this.clock = clock;
  }

  /**
   * Asks every instance without a request under way for its counts. The future completes when all
   * instances have answered or failed.
   */
  CompletableFuture<Void> ask() {
    return ask(others.addresses());
  }

  private synchronized CompletableFuture<Void> ask(List<String> addresses) {
    forget();
    asked.keySet().retainAll(addresses);
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    for (String each : addresses) {
      Asked one = asked.computeIfAbsent(each, unused -> new Asked());
      if (one.answer.isDone()) one.answer = answer(each, one);
      answers.add(one.answer);
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> answer(String address, Asked one) {
    boolean all = one.all;
    Map<String, String> steps =
        Map.of(CountsRoute.STEPS, "" + (all ? Watch.STEPS : CountsResponse.LAST_STEPS));
    return others
        .ask(
            address,
            CountsRoute.PATH,
            steps,
            text -> JsonText.read(text, CountsResponse.OfProcess.class))
        .thenAccept(told -> take(one, told, all))
        .exceptionally(failure -> missing(one, OtherInstances.why(failure)));
  }

  private synchronized Void missing(Asked one, String why) {
    one.missing = why;
    return null;
  }

  private synchronized void take(Asked one, CountsResponse.OfProcess told, boolean all) {
    Watch.History history = told.history();
    one.missing = "";
    if (told.run().equals(run)) return;
    Run before = runs.getOrDefault(told.run(), Run.NEW);
    one.all = !all && !CountSums.continues(before.history, history);
    if (one.all) return;
    long nowMs = clock.millis();
    Run now =
        new Run(CountSums.continued(before.history, history), later(before, history, nowMs), nowMs);
    morePast |= all || now.later != before.later;
    if (runs.size() >= MOST_RUNS && !runs.containsKey(told.run())) forgetOldest();
    runs.put(told.run(), now);
  }

  /**
   * Returns the number of steps by which a process's clock is behind. A number that differs by at
   * most one step from the known one is treated as unchanged.
   */
  private static long later(Run before, Watch.History told, long nowMs) {
    long apart = Math.floorDiv(nowMs, Watch.STEP_MS) - CountSums.lastStep(told);
    return Math.abs(apart - before.later) <= 1 ? before.later : apart;
  }

  private void forgetOldest() {
    runs.values().stream()
        .min(Comparator.comparingLong(Run::toldMs))
        .ifPresent(runs.values()::remove);
  }

  /** Removes processes whose last response is so old that none of its counts is shown. */
  synchronized void forget() {
    long nowMs = clock.millis();
    runs.values().removeIf(each -> Math.abs(nowMs - each.toldMs) > KEPT_MS);
  }

  /**
   * Returns whether counts of older steps have become known since the last call, and resets the
   * flag.
   */
  synchronized boolean takeMorePast() {
    boolean more = morePast;
    morePast = false;
    return more;
  }

  synchronized Sum sum(long nowMs) {
    CountSums sums = new CountSums(Math.floorDiv(nowMs, Watch.STEP_MS), Integer.MAX_VALUE);
    sums.add(watch.history(nowMs), 0);
    runs.values().forEach(each -> sums.add(each.history, each.later));
    List<String> answered = new ArrayList<>(List.of(others.own()));
    List<Unanswered> unanswered = new ArrayList<>();
    asked.forEach(
        (address, one) -> {
          if (one.missing.isEmpty()) answered.add(address);
          else unanswered.add(new Unanswered(address, one.missing));
        });
    return new Sum(sums.history(), answered, unanswered);
  }

  /**
   * Event counts of the last quarter of an hour by limit, verdict and ten-second step, summed over
   * the histories of several instances. Not thread-safe.
   */
  private static final class CountSums {
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
     * @param mostLines maximum number of sums; there is one for each limit and mode, and further
     *     ones are left out
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
      CountSums both = new CountSums(lastStep(now), CountsResponse.MOST_LINES);
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
     * Returns the sums of one limit and verdict, by step; for a limit that is left out, an array
     * that is not kept.
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
}
