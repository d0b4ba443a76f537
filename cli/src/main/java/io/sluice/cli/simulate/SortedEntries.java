package io.sluice.cli.simulate;

import io.sluice.cli.common.CommandFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * Sorts the entries of an event file by event time. Entries with equal times keep the order of the
 * file; an entry without a time gets the time of the entry before it. Memory is bounded; more
 * entries go to temporary files.
 */
final class SortedEntries implements Entries {
  /**
   * Maximum number of sorted temporary files, each of which is open and has a buffer. When this
   * number is reached, all are merged into one.
   */
  static final int MOST_RUNS = 64;

  /** Estimated heap memory of an entry in addition to its content, in bytes. */
  private static final int OVERHEAD_BYTES = 96;

  private final Entries unsorted;
  private final Clock clock;
  private final Path folder;
  private final long mostBytes;
  private final LongConsumer progress;
  private final List<SortedRun> runs = new ArrayList<>();
  private final List<TimedEntry> inMemory = new ArrayList<>();
  private long bytesInMemory;
  private MergedRuns sorted;
  private TimedEntry current;

  /** Reads the event time of an entry, in epoch milliseconds; empty if the entry has no time. */
  @FunctionalInterface
  interface Clock {
    OptionalLong timeOf(Entries at, byte[] bytes);
  }

  /**
   * @param folder folder for temporary files
   * @param mostBytes maximum memory for entries in bytes, beyond which they are written to a file
   * @param progress receives the number of entries read so far
   */
  SortedEntries(Entries unsorted, Clock clock, Path folder, long mostBytes, LongConsumer progress) {
    this.unsorted = unsorted;
    this.clock = clock;
    this.folder = folder;
    this.mostBytes = mostBytes;
    this.progress = progress;
  }

  @Override
  public boolean next() throws IOException {
    if (sorted == null) {
      readAll();
      sorted = new MergedRuns(runs);
    }
    Optional<TimedEntry> next = sorted.next();
    next.ifPresent(entry -> current = entry);
    return next.isPresent();
  }

  private void readAll() throws IOException {
    long timeMs = Long.MIN_VALUE;
    while (unsorted.next()) {
      progress.accept(unsorted.number());
      byte[] entry = unsorted.isTooLong() ? new byte[0] : unsorted.bytes();
      if (entry.length == 0 && !unsorted.isTooLong()) continue;
      timeMs = clock.timeOf(unsorted, entry).orElse(timeMs);
      keep(new TimedEntry(timeMs, unsorted.number(), entry));
    }
    inMemory.sort(TimedEntry.ORDER);
    runs.add(SortedRun.inMemory(inMemory));
  }

  private void keep(TimedEntry entry) throws IOException {
    inMemory.add(entry);
    bytesInMemory += entry.bytes().length + OVERHEAD_BYTES;
    if (bytesInMemory >= mostBytes) spill();
  }

  private void spill() throws IOException {
    inMemory.sort(TimedEntry.ORDER);
    addRun(SortedRun.of(inMemory));
    inMemory.clear();
    bytesInMemory = 0;
    if (runs.size() < MOST_RUNS) return;
    MergedRuns all = new MergedRuns(runs);
    runs.clear();
    addRun(all);
  }

  private void addRun(SortedRun.Supply entries) {
    try {
      runs.add(SortedRun.onDisk(folder, entries));
    } catch (IOException e) {
      throw new CommandFailedException(
          "--sort cannot write to " + folder.getParent() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public long number() {
    return current.number();
  }

  @Override
  public boolean isTooLong() {
    return current.bytes().length == 0;
  }

  @Override
  public byte[] bytes() {
    return current.bytes();
  }

  @Override
  public EntryKind kind() {
    return unsorted.kind();
  }
}
