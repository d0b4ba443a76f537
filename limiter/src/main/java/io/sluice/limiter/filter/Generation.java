package io.sluice.limiter.filter;

import io.sluice.limiter.rows.Fields;

/**
 * The filters for the pairs of a quarter of a period, one behind the other.
 *
 * @param id names its blocks
 * @param endMicros the first instant behind it
 * @param eraMicros when the limit last began anew before it
 * @param blocks of its first filter
 * @param level of its first filter
 * @param layers how many filters have a pair
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
