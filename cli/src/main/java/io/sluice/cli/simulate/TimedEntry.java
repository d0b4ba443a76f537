package io.sluice.cli.simulate;

import java.util.Comparator;

/** Entry of an event file, with the event time by which the file is sorted. */
final class TimedEntry {
  static final Comparator<TimedEntry> ORDER =
      Comparator.comparingLong(TimedEntry::timeMs).thenComparingLong(TimedEntry::number);

  private final long timeMs;
  private final long number;
  private final byte[] bytes;

  /**
   * @param number position of the entry in the file, 1 for the first entry
   * @param bytes content; empty if the entry was too long to be read
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
