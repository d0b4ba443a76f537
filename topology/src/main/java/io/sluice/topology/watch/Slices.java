package io.sluice.topology.watch;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Counters of the keys with most events, one for each of the last minutes, so that old events
 * expire. One thread counts; others may read.
 */
final class Slices {
  static final long SLICE_MS = 60_000;

  /** Number of slices: the current minute and five before it. */
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

  /** Keys with most events in each of the last minutes. */
  Stream<Top> tops(long nowMs) {
    long now = Math.floorDiv(nowMs, SLICE_MS);
    return LongStream.rangeClosed(now - SLICES + 1, now)
        .mapToObj(minute -> at(minute).copy(minute).top());
  }

  /** Length of the time that the slices cover now, ms. */
  static long windowMs(long nowMs) {
    return (SLICES - 1) * SLICE_MS + Math.floorMod(nowMs, SLICE_MS);
  }
}
