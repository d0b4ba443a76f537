package io.sluice.limiter.filter;

import io.sluice.limiter.rows.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The filters of one limit, in rows: one that lists the generations, and one for each block in
 * which a bit is set. Reads the rows whenever it is asked, and holds nothing.
 */
public final class Filters {
  /**
   * With so many filters a generation has more pairs than its part of the capacity: the first one
   * is as large as that, and the next ones hold what overflows from blocks that many fall into.
   */
  public static final int BEYOND_CAPACITY = 5;

  /** What the names of rows with blocks begin with; all else of a limit's begins otherwise. */
  public static final byte BLOCK_KIND = BlockKeys.BLOCK;

  /** How long each of these rows is. */
  public static final int BLOCK_BYTES = Block.BYTES;

  private final Rows rows;
  private final byte[] head;

  /** Somebody who is told of what an addition brought. */
  @FunctionalInterface
  public interface Growth {
    /** A generation has come to have more pairs than its part of the capacity. */
    void beyondCapacity();
  }

  /**
   * @param head the limit's own row
   */
  public Filters(Rows rows, byte[] head) {
    this.rows = rows;
    this.head = head;
  }

  /**
   * The end of the last generation that knows a pair; 0 if none does.
   *
   * @param afterMicros generations that end then or earlier are not asked
   */
  public long knownUntil(Pair pair, long eraMicros, long afterMicros) {
    long until = 0;
    for (Generation each : Generations.read(rows.get(head)).all()) {
      if (each.eraMicros() != eraMicros || each.endMicros() <= Math.max(until, afterMicros))
        continue;
      if (contains(each, pair)) until = each.endMicros();
    }
    return until;
  }

  private boolean contains(Generation generation, Pair pair) {
    for (int layer = 0; layer < generation.layers(); layer++) {
      Block block = block(generation, layer, rows.get(key(generation, layer, pair)));
      if (block.contains(pair)) return true;
      if (!block.isFull()) return false;
    }
    return false;
  }

  private byte[] key(Generation generation, int layer, Pair pair) {
    int blocks = Strength.blocks(generation.blocks(), layer);
    return BlockKeys.of(head, generation.id(), layer, pair.block(blocks));
  }

  /** Writes once more what the generations know of a pair. */
  public void rewrite(Pair pair, long eraMicros) {
    rows.rewrite(head);
    for (Generation each : Generations.read(rows.get(head)).all()) {
      if (each.eraMicros() != eraMicros) continue;
      for (int layer = 0; layer < each.layers(); layer++) rows.rewrite(key(each, layer, pair));
    }
  }

  /** Whether the generation of an instant has begun. */
  public boolean hasBegun(long atMicros, long eraMicros) {
    return Generations.read(rows.get(head)).at(atMicros, eraMicros).isPresent();
  }

  /** Begins the generation of an instant. */
  public void begin(long atMicros, long eraMicros, long periodMicros, FilterSize size) {
    Generations before = Generations.read(rows.get(head));
    rows.put(head, before.with(atMicros, eraMicros, periodMicros, size).write());
  }

  /**
   * Adds a pair to the generation of an instant, which has begun.
   *
   * @return the end of the generation
   */
  public long add(Pair pair, long atMicros, long eraMicros, Growth growth) {
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

  private boolean isFull(Generation generation, int layer, Pair pair) {
    return layer < Strength.MOST_LAYERS - 1
        && block(generation, layer, rows.get(key(generation, layer, pair))).isFull();
  }

  private static Block block(Generation generation, int layer, byte[] value) {
    int level = Strength.level(generation.level(), layer);
    return value == null ? Block.empty(level) : Block.read(value, level);
  }

  /**
   * Keeps of the limit's own row only generations that are needed. The row itself stays: it tells
   * which names its blocks have had, as some of these may still be there.
   */
  public void keepOnly(Predicate<Span> isNeeded) {
    Generations generations = Generations.read(rows.get(head));
    List<Generation> needed = new ArrayList<>(generations.all());
    needed.removeIf(each -> !isNeeded.test(new Span(each.eraMicros(), each.endMicros())));
    if (needed.size() == generations.all().size()) return;
    rows.put(head, new Generations(generations.nextId(), needed).write());
  }

  /** The time that a generation is of: when its limit had last begun anew, and its end. */
  public record Span(long eraMicros, long endMicros) {}

  /** Whether the generation of a block, which is the row of this name, is in the limit's row. */
  public boolean needs(byte[] key) {
    long id = BlockKeys.generation(key, head.length);
    return Generations.read(rows.get(head)).byId(id).isPresent();
  }
}
