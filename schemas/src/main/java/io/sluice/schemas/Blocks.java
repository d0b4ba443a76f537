package io.sluice.schemas;

/**
 * Iterator over the items of an Avro array or map, block by block. Between two calls of {@link
 * #next}, the caller reads the item from the cursor.
 */
final class Blocks {
  /*
   * A block is a count and that many items; a count of zero ends the array or map. A negative count
   * stands for its absolute value, and is followed by the size of the block's items in bytes, so
   * that a reader can skip the block. A reader that skips a block of a wrong size would see another
   * record than a reader that does not skip, so a wrong size is refused.
   */

  private final BodyCursor cursor;
  private final String field;
  private int itemsLeft;
  private boolean sized;
  private int sizedEnd;

  Blocks(BodyCursor cursor, String field) {
    this.cursor = cursor;
    this.field = field;
  }

  /** Moves to the next item; returns false if there is none. */
  boolean next() {
    if (itemsLeft == 0) {
      openBlock();
    }
    return itemsLeft-- > 0;
  }

  private void openBlock() {
    if (sized && cursor.position() != sizedEnd) {
      throw new UndecodableException(field + ": a block is not of the size it announces");
    }
    long count = cursor.readLong(field);
    sized = count < 0;
    if (sized) {
      int size = cursor.readLength(field);
      sizedEnd = cursor.position() + size;
    }
    itemsLeft = cursor.claimItems(field, sized ? -count : count);
  }
}
