package io.sluice.limiter.filter;

import io.sluice.limiter.rows.Fields;

/**
 * Bloom filters for the keys of a quarter of a period. Each filter takes the keys whose block in
 * the filter before is full.
 *
 * @param id part of the names of the rows with the generation's blocks
 * @param endMicros first instant after the generation, in epoch microseconds
 * @param eraMicros latest reset of the limit before the generation, in epoch microseconds; 0 if
 *     there was none
 * @param blocks number of blocks in the first filter
 * @param level error level of the first filter, see {@link Strength}
 * @param layers number of filters that contain a key
 */
record Generation(
    long id, long startMicros, long endMicros, long eraMicros, int blocks, int level, int layers) {
  static Generation read(Fields in) {
    long id = in.next();
    long startMicros = in.next();
    return new Generation(
        id,
        startMicros,
        startMicros + in.next(),
        in.next(),
        (int) in.next(),
        (int) in.next(),
        (int) in.next());
  }

  void write(Fields out) {
    out.add(id).add(startMicros).add(endMicros - startMicros).add(eraMicros);
    out.add(blocks).add(level).add(layers);
  }

  boolean isOf(long atMicros, long era) {
    return eraMicros == era && startMicros <= atMicros && atMicros < endMicros;
  }

  Generation withLayers(int number) {
    return new Generation(id, startMicros, endMicros, eraMicros, blocks, level, number);
  }
}
