package io.sluice.cli.simulate;

import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Merges several sorted runs of entries into one sequence in the order of their times. */
final class MergedRuns implements SortedRun.Supply {
  private final PriorityQueue<SortedRun> runs =
      new PriorityQueue<>(Comparator.comparing(SortedRun::head, TimedEntry.ORDER));

  MergedRuns(Collection<SortedRun> some) {
    some.stream().filter(run -> !run.isEmpty()).forEach(runs::add);
  }

  @Override
  public Optional<TimedEntry> next() throws IOException {
    SortedRun first = runs.poll();
    if (first == null) return Optional.empty();
    TimedEntry entry = first.take();
    if (!first.isEmpty()) runs.add(first);
    return Optional.of(entry);
  }
}
