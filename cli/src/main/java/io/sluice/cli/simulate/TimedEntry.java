package io.sluice.cli.simulate;

import java.util.Comparator;

/** An entry of a file, and the time that puts it into order. */
final class TimedEntry {
  static final Comparator<TimedEntry> ORDER =
      Comparator.comparingLong(TimedEntry::timeMs).thenComparingLong(TimedEntry::number);

  private final long timeMs;
  private final long number;
  private final byte[] bytes;

  /**
   * @param number its number in the file
   * @param bytes empty if it is too long to be kept
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
