package io.sluice.limiter.filter;

import io.sluice.limiter.filter.Generations.Generation;
import io.sluice.limiter.rows.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Bloom filters of one limit, in the rows of a key-value store: one row that lists the generations,
 * and one row for each block in which a bit is set. A generation is a group of filters for the keys
 * of a quarter of a period. Reads the rows at every call, and caches nothing.
 */
public final class Filters {
  /**
   * Number of filters in a generation from which on the generation has more keys than its part of
   * the limit's capacity. The generation's first filter is as large as that part; the next filters
   * take the overflow of its full blocks.
   */
  public static final int BEYOND_CAPACITY = 5;

  /**
   * First byte of the names of rows with blocks; the names of a limit's other rows begin with other
   * bytes.
   */
  public static final byte BLOCK_KIND = BlockKeys.BLOCK;

  /** Size in bytes of the value of a row with a block. */
  public static final int BLOCK_BYTES = Block.BYTES;

  private final Rows rows;
  private final byte[] head;

  /** Listener for generations of filters that exceed their capacity. */
  @FunctionalInterface
  public interface Growth {
    /** Called when a generation of filters has more keys than its part of the limit's capacity. */
    void beyondCapacity();
  }

  /**
   * @param head name of the limit's own row, which lists the generations
   */
  public Filters(Rows rows, byte[] head) {
    this.rows = rows;
    this.head = head;
  }

  /**
   * Returns the end, in epoch microseconds, of the latest generation that contains a key; 0 if no
   * generation contains it.
   *
   * @param eraMicros latest reset of the limit: only generations since then are searched
   * @param afterMicros generations that end at or before this instant are not searched
   */
  public long knownUntil(FilterKey pair, long eraMicros, long afterMicros) {
    long until = 0;
    for (Generation each : Generations.read(rows.get(head)).all()) {
      if (each.eraMicros() != eraMicros || each.endMicros() <= Math.max(until, afterMicros))
        continue;
      if (contains(each, pair)) until = each.endMicros();
    }
    return until;
  }

  private boolean contains(Generation generation, FilterKey pair) {
    for (int layer = 0; layer < generation.layers(); layer++) {
      Block block = block(generation, layer, rows.get(key(generation, layer, pair)));
      if (block.contains(pair)) return true;
      if (!block.isFull()) return false;
    }
    return false;
  }

  private byte[] key(Generation generation, int layer, FilterKey pair) {
    int blocks = Strength.blocks(generation.blocks(), layer);
    return BlockKeys.of(head, generation.id(), layer, pair.block(blocks));
  }

  /** Writes all rows that may contain a key's bits again, unchanged. */
  public void rewrite(FilterKey pair, long eraMicros) {
    rows.rewrite(head);
    for (Generation each : Generations.read(rows.get(head)).all()) {
      if (each.eraMicros() != eraMicros) continue;
      for (int layer = 0; layer < each.layers(); layer++) rows.rewrite(key(each, layer, pair));
    }
  }

  /** Whether the generation of filters that contains an instant has begun. */
  public boolean hasBegun(long atMicros, long eraMicros) {
    return Generations.read(rows.get(head)).at(atMicros, eraMicros).isPresent();
  }

  /** Begins the generation of filters that contains an instant. */
  public void begin(long atMicros, long eraMicros, long periodMicros, FilterSize size) {
    Generations before = Generations.read(rows.get(head));
    rows.put(head, before.with(atMicros, eraMicros, periodMicros, size).write());
  }

  /**
   * Adds a key to the generation that contains an instant, and that must have begun.
   *
   * @return the end of the generation, in epoch microseconds
   */
  public long add(FilterKey pair, long atMicros, long eraMicros, Growth growth) {
    Generations generations = Generations.read(rows.get(head));
    Generation generation = generations.at(atMicros, eraMicros).orElseThrow();
    int layer = 0;
    while (isFull(generation, layer, pair)) layer++;
    boolean opens = layer == generation.layers();
    if (opens) rows.put(head, generations.with(generation.withLayers(layer + 1)).write());
    byte[] key = key(generation, layer, pair);
    rows.put(key, block(generation, layer, rows.get(key)).with(pair));
    if (opens && layer + 1 == BEYOND_CAPACITY) growth.beyondCapacity();
    return generation.endMicros();
  }

  private boolean isFull(Generation generation, int layer, FilterKey pair) {
    return layer < Strength.MOST_LAYERS - 1
        && block(generation, layer, rows.get(key(generation, layer, pair))).isFull();
  }

  private static Block block(Generation generation, int layer, byte[] value) {
    int level = Strength.level(generation.level(), layer);
    return value == null ? Block.empty(level) : Block.read(value, level);
  }

  /**
   * Removes the generations that are not needed from the limit's own row. The row itself stays: the
   * next id in it keeps new generations from reusing the names of old blocks, which may still
   * exist.
   */
  public void keepOnly(Predicate<Span> isNeeded) {
    Generations generations = Generations.read(rows.get(head));
    List<Generation> needed = new ArrayList<>(generations.all());
    needed.removeIf(each -> !isNeeded.test(new Span(each.eraMicros(), each.endMicros())));
    if (needed.size() == generations.all().size()) return;
    rows.put(head, new Generations(generations.nextId(), needed).write());
  }

  /**
   * Latest reset of the limit before a generation, and the generation's end, both in epoch
   * microseconds.
   */
  public record Span(long eraMicros, long endMicros) {}

  /** Whether the limit's own row still lists the generation of a block's row. */
  public boolean needs(byte[] key) {
    long id = BlockKeys.generation(key, head.length);
    return Generations.read(rows.get(head)).byId(id).isPresent();
  }

  /**
   * Names of the rows with blocks of Bloom filters: the kind of row, the name of the limit's own
   * row, the id of the generation, the number of the filter in the generation, and the number of
   * the block. The names of most neighbouring blocks differ in the last byte only.
   */
  static final class BlockKeys {
    /** Kind of the rows that hold blocks of Bloom filters. */
    static final byte BLOCK = 3;

    private static final int NUMBER_BYTES = 3;
    private static final int GROUP = 7;

    private BlockKeys() {}

    /**
     * Builds the name of a block's row.
     *
     * @param head name of the limit's own row
     * @param generation id of the generation
     * @param layer number of the filter in the generation, from 0 on
     * @param block number of the block in the filter, from 0 on
     */
    static byte[] of(byte[] head, long generation, int layer, int block) {
      int idBytes = bytes(generation);
      byte[] key = new byte[1 + head.length + idBytes + 1 + NUMBER_BYTES];
      key[0] = BLOCK;
      System.arraycopy(head, 0, key, 1, head.length);
      int at = 1 + head.length;
      for (int i = idBytes - 1; i >= 0; i--) {
        long group = (generation >>> (GROUP * i)) & 0x7f;
        key[at++] = (byte) (i > 0 ? group | 0x80 : group);
      }
      key[at] = (byte) layer;
      for (int i = 1; i <= NUMBER_BYTES; i++)
        key[at + i] = (byte) (block >>> (8 * (NUMBER_BYTES - i)));
      return key;
    }

    /** Returns the id of the generation from the name of a block's row. */
    static long generation(byte[] key, int headLength) {
      long id = 0;
      for (int at = 1 + headLength; ; at++) {
        id = (id << GROUP) | (key[at] & 0x7f);
        if (key[at] >= 0) return id;
      }
    }

    /** Returns the name of the limit's own row from the name of a block's row. */
    static byte[] head(byte[] key, int headLength) {
      return Arrays.copyOfRange(key, 1, 1 + headLength);
    }

    private static int bytes(long generation) {
      int bytes = 1;
      for (long rest = generation >>> GROUP; rest > 0; rest >>>= GROUP) bytes++;
      return bytes;
    }
  }
}
