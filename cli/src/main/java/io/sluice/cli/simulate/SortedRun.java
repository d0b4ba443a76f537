package io.sluice.cli.simulate;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Sorted entries of an event file, in memory or in a temporary file; the first remaining entry can
 * be read without removal.
 */
final class SortedRun {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Supply supply;
  private Optional<TimedEntry> head;

  /** Sequence of entries: each call returns the next entry, or empty after the last one. */
  @FunctionalInterface
  interface Supply {
    Optional<TimedEntry> next() throws IOException;
  }

  private SortedRun(Supply supply) throws IOException {
    this.supply = supply;
    head = supply.next();
  }

  static SortedRun inMemory(List<TimedEntry> entries) throws IOException {
    return new SortedRun(of(entries));
  }

  static Supply of(List<TimedEntry> entries) {
    Iterator<TimedEntry> all = entries.iterator();
    return () -> all.hasNext() ? Optional.of(all.next()) : Optional.empty();
  }

  /** Writes entries that are already sorted to a temporary file in the folder. */
  static SortedRun onDisk(Path folder, Supply entries) throws IOException {
    FileChannel file = nameless(folder);
    long count = write(entries, file);
    file.position(0);
    return new SortedRun(stored(file, count));
  }

  /**
   * Opens a temporary file that is deleted on close. On Linux its name is removed at once, so
   * nothing remains even if the process is killed.
   */
  private static FileChannel nameless(Path folder) throws IOException {
    return FileChannel.open(
        folder.resolve(UUID.randomUUID() + ".run"),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  private static long write(Supply entries, FileChannel file) throws IOException {
    DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(Channels.newOutputStream(file), BUFFER_BYTES));
    long count = 0;
    for (var entry = entries.next(); entry.isPresent(); entry = entries.next()) {
      out.writeLong(entry.get().timeMs());
      out.writeLong(entry.get().number());
      out.writeInt(entry.get().bytes().length);
      out.write(entry.get().bytes());
      count++;
    }
    out.flush();
    return count;
  }

  private static Supply stored(FileChannel file, long count) {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(Channels.newInputStream(file), BUFFER_BYTES));
    long[] left = {count};
    return () -> {
      if (left[0]-- > 0) return Optional.of(read(in));
      file.close();
      return Optional.empty();
    };
  }

  private static TimedEntry read(DataInputStream in) throws IOException {
    long timeMs = in.readLong();
    long number = in.readLong();
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new TimedEntry(timeMs, number, bytes);
  }

  boolean isEmpty() {
    return head.isEmpty();
  }

  /** Returns the first remaining entry, without removing it. */
  TimedEntry head() {
    return head.orElseThrow();
  }

  TimedEntry take() throws IOException {
    TimedEntry taken = head();
    head = supply.next();
    return taken;
  }
}
