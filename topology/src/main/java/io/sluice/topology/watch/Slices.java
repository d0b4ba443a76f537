package io.sluice.topology.watch;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Ring of counters of the keys with most events: one counter for each of the last six minutes, so
 * that old events expire. One thread counts; other threads may read.
 */
final class Slices {
  static final long SLICE_MS = 60_000;

  /** Number of minutes that are kept: the current minute and the five minutes before it. */
  static final int SLICES = 6;

  static final Slices NONE = new Slices();

  private final Sketch[] ring = Stream.generate(Sketch::new).limit(SLICES).toArray(Sketch[]::new);

  void count(String key, long nowMs) {
    long minute = Math.floorDiv(nowMs, SLICE_MS);
    at(minute).count(key, minute);
  }

  private Sketch at(long minute) {
    return ring[Math.floorMod(minute, SLICES)];
  }

  /** Returns, for each of the last six minutes, the keys with most events. */
  Stream<Top> tops(long nowMs) {
    long now = Math.floorDiv(nowMs, SLICE_MS);
    return LongStream.rangeClosed(now - SLICES + 1, now)
        .mapToObj(minute -> at(minute).copy(minute).top());
  }

  /** Length of the time that the kept minutes cover now, milliseconds: between 5 and 6 minutes. */
  static long windowMs(long nowMs) {
    return (SLICES - 1) * SLICE_MS + Math.floorMod(nowMs, SLICE_MS);
  }
}
