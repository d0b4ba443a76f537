package io.sluice.topology.watch;

import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The keys with most events in the last minutes, minute by minute, so that old ones leave. For one
 * thread that counts, and others that read.
 */
final class Slices {
  static final long SLICE_MS = 60_000;

  /** The minute that goes on, and five before it. */
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

  /** What was counted in each of the last minutes. */
  Stream<Top> tops(long nowMs) {
    long now = Math.floorDiv(nowMs, SLICE_MS);
    return LongStream.rangeClosed(now - SLICES + 1, now)
        .mapToObj(minute -> at(minute).copy(minute).top());
  }

  /** How long the time is that is looked at. */
  static long windowMs(long nowMs) {
    return (SLICES - 1) * SLICE_MS + Math.floorMod(nowMs, SLICE_MS);
  }
}
