package io.sluice.limiter.filter;

import io.sluice.limiter.rows.Fields;

/**
 * Filters for the pairs of a quarter of a period, each filter for the overflow of the one before.
 *
 * @param id is part of the names of its blocks
 * @param endMicros first instant after it
 * @param eraMicros latest reset of the limit before it; 0 if there was none
 * @param blocks number of blocks in its first filter
 * @param level of its first filter
 * @param layers number of filters that have a pair
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
