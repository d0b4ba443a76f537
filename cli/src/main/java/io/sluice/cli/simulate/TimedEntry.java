package io.sluice.cli.simulate;

import java.util.Comparator;

/** Entry of a file, with the time by which it is sorted. */
final class TimedEntry {
  static final Comparator<TimedEntry> ORDER =
      Comparator.comparingLong(TimedEntry::timeMs).thenComparingLong(TimedEntry::number);

  private final long timeMs;
  private final long number;
  private final byte[] bytes;

  /**
   * @param number position in the file, 1 for the first
   * @param bytes empty if the entry is too long to be kept
   */
  TimedEntry(long timeMs, long number, byte[] bytes) {
    this.timeMs = timeMs;
    this.number = number;
    this.bytes = bytes;
  }

  long timeMs() {
    return timeMs;
  }

  long number() {
    return number;
  }

  byte[] bytes() {
    return bytes;
  }
}
