package io.sluice.limiter.filter;

import io.sluice.limiter.rows.Fields;
import io.sluice.limiter.rows.StoredFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Generations of the Bloom filters of one limit, as the limit's own row lists them. Immutable. */
record Generations(long nextId, List<Generation> all) {
  private static final int MOST_BYTES_EACH = 7 * 10;
  private static final Generations NONE = new Generations(0, List.of());

  static Generations read(byte[] row) {
    if (row == null) return NONE;
    StoredFormat.check(row, "a list of filters");
    Fields in = new Fields(row);
    in.next();
    long nextId = in.next();
    List<Generation> all = new ArrayList<>();
    while (!in.isAtEnd()) all.add(Generation.read(in));
    return new Generations(nextId, all);
  }

  byte[] write() {
    Fields out = new Fields(MOST_BYTES_EACH * (all.size() + 1));
    out.add(StoredFormat.VERSION).add(nextId);
    for (Generation each : all) each.write(out);
    return out.toArray();
  }

  /**
   * Returns the generation that contains an instant; the latest such generation, if several contain
   * it after a change of the period.
   */
  Optional<Generation> at(long atMicros, long eraMicros) {
    for (int i = all.size() - 1; i >= 0; i--) {
      if (all.get(i).isOf(atMicros, eraMicros)) return Optional.of(all.get(i));
    }
    return Optional.empty();
  }

  Optional<Generation> byId(long id) {
    return all.stream().filter(each -> each.id() == id).findFirst();
  }

  /**
   * Adds the generation that contains an instant. Generations begin at multiples of their length
   * since 1970.
   */
  Generations with(long atMicros, long eraMicros, long periodMicros, FilterSize size) {
    long length = (periodMicros + FilterSize.GENERATIONS - 1) / FilterSize.GENERATIONS;
    long start = atMicros - atMicros % length;
    List<Generation> more = new ArrayList<>(all);
    more.add(
        new Generation(nextId, start, start + length, eraMicros, size.blocks(), size.level(), 0));
    return new Generations(nextId + 1, more);
  }

  Generations with(Generation changed) {
    List<Generation> same = new ArrayList<>(all);
    same.replaceAll(each -> each.id() == changed.id() ? changed : each);
    return new Generations(nextId, same);
  }

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
      long id,
      long startMicros,
      long endMicros,
      long eraMicros,
      int blocks,
      int level,
      int layers) {
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
}
