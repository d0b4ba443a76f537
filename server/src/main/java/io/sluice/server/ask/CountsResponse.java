package io.sluice.server.ask;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import io.sluice.rules.limit.Verdict;
import io.sluice.server.web.JsonText;
import io.sluice.topology.watch.Watch;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Event counts by limit, verdict and ten-second step, as fields of a JSON response.
 *
 * @param fromMs start of the first step, epoch milliseconds
 * @param moreLimits number of limits that are left out
 */
record CountsResponse(long stepMs, long fromMs, List<Line> lines, long moreLimits) {
  static final int MOST_LINES = 100;

  /**
   * Number of time steps in an update: the steps whose counts may still change, and one more, so
   * that the next update also serves a client that missed one.
   */
  static final int LAST_STEPS = 3;

  private static final String NAME = "[A-Za-z0-9_-]{0,200}";
  private static final long[] NONE = new long[Watch.STEPS];

  /**
   * Counts of one limit, for each verdict by step. Counts that another instance does not send are
   * null.
   */
  record Line(
      String limit,
      boolean shadow,
      @JsonSetter(nulls = Nulls.SET) List<Long> allowed,
      @JsonSetter(nulls = Nulls.SET) List<Long> rejected,
      @JsonSetter(nulls = Nulls.SET) List<Long> delayed) {
    private static Line of(Watch.Line line, int from, int to) {
      return new Line(
          line.limit(),
          line.shadow(),
          counts(line, Verdict.Kind.ALLOWED, from, to),
          counts(line, Verdict.Kind.REJECTED, from, to),
          counts(line, Verdict.Kind.DELAYED, from, to));
    }

    private static List<Long> counts(Watch.Line line, Verdict.Kind kind, int from, int to) {
      return Arrays.stream(line.counts().getOrDefault(kind, NONE), from, to).boxed().toList();
    }

    /** Returns the counts, after checks that each verdict has one for each step. */
    private Watch.Line checked(long steps) {
      JsonText.check(limit.matches(NAME));
      Map<Verdict.Kind, long[]> counts = new EnumMap<>(Verdict.Kind.class);
      for (Verdict.Kind kind : Verdict.Kind.values()) {
        List<Long> told =
            switch (kind) {
              case ALLOWED -> allowed;
              case REJECTED -> rejected;
              case DELAYED -> delayed;
            };
        if (told == null) continue;
        JsonText.check(told.size() == steps);
        counts.put(kind, told.stream().mapToLong(Long::longValue).toArray());
      }
      return new Watch.Line(limit, shadow, counts);
    }
  }

  /**
   * Counts of one process.
   *
   * @param run unique name of the process
   * @param nowMs time of its own clock; the last step is still being counted
   */
  record OfProcess(String run, long nowMs, @JsonUnwrapped CountsResponse counts) {
    /**
     * Returns the counts of a bounded number of limits.
     *
     * @throws IllegalArgumentException if the values that were read are not valid
     */
    Watch.History history() {
      JsonText.check(!run.isEmpty() && run.matches(NAME));
      long fromMs = counts.fromMs;
      JsonText.check(counts.stepMs == Watch.STEP_MS && fromMs % Watch.STEP_MS == 0);
      long steps = (nowMs - fromMs) / Watch.STEP_MS + 1;
      JsonText.check(nowMs >= fromMs && steps <= Watch.STEPS);
      Set<List<Object>> names = new HashSet<>();
      for (Line each : counts.lines) JsonText.check(names.add(List.of(each.limit, each.shadow)));
      List<Watch.Line> lines = counts.lines.stream().map(each -> each.checked(steps)).toList();
      return new Watch.History(
          fromMs, Watch.STEP_MS, (int) steps, lines.subList(0, Math.min(MOST_LINES, lines.size())));
    }
  }

  /**
   * Returns the counts in the last steps, for the limits that had most events in the whole history.
   */
  static CountsResponse of(Watch.History history, int steps) {
    int to = history.steps();
    int from = Math.max(0, to - steps);
    return new CountsResponse(
        history.stepMs(),
        history.fromMs() + from * history.stepMs(),
        busiest(history.lines()).stream().map(line -> Line.of(line, from, to)).toList(),
        Math.max(0, history.lines().size() - MOST_LINES));
  }

  private static List<Watch.Line> busiest(List<Watch.Line> lines) {
    if (lines.size() <= MOST_LINES) return lines;
    return lines.stream()
        .sorted(comparing(CountsResponse::events).reversed())
        .limit(MOST_LINES)
        .toList();
  }

  private static long events(Watch.Line line) {
    return line.counts().values().stream().flatMapToLong(Arrays::stream).sum();
  }
}
