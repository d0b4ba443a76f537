package io.sluice.topology.queue;

/**
 * Hash table of lines by their ids, with open addressing: there may be a million lines, and an
 * entry of {@code HashMap} with its key takes as much memory as half a line. Not thread-safe.
 */
final class LineTable {
  private static final int LEAST = 16;

  private Line[] slots = new Line[LEAST];
  private int size;

  int size() {
    return size;
  }

  /** Returns the line with this id; null if there is none. */
  Line get(long id) {
    return slots[slotOf(id)];
  }

  /** Adds a line whose id is not in the table. */
  void add(Line line) {
    if (2 * ++size > slots.length) resize(2 * slots.length);
    slots[slotOf(line.id())] = line;
  }

  /** Removes the line with this id. */
  void remove(long id) {
    int free = slotOf(id);
    slots[free] = null;
    size--;
    // Moves the lines behind it that are not in their places because this one was in their way.
    for (int at = next(free); slots[at] != null; at = next(at)) {
      Line line = slots[at];
      slots[at] = null;
      slots[slotOf(line.id())] = line;
    }
    if (slots.length > LEAST && 8 * size < slots.length) resize(slots.length / 2);
  }

  /** Returns the slot of a line, or the free slot in which it belongs. */
  private int slotOf(long id) {
    int at = Long.hashCode(id * 0x9e3779b97f4a7c15L) & (slots.length - 1);
    while (slots[at] != null && slots[at].id() != id) at = next(at);
    return at;
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  private void resize(int length) {
    Line[] before = slots;
    slots = new Line[length];
    for (Line line : before) if (line != null) slots[slotOf(line.id())] = line;
  }
}
