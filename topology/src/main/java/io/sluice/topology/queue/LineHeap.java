package io.sluice.topology.queue;

import java.util.Arrays;

/**
 * Binary heap of lines, ordered by class and then by the number of the line's first event. Each
 * line knows its position, so that any line can be removed in logarithmic time. Not thread-safe.
 */
final class LineHeap {
  private static final Line[] EMPTY = {};

  private final Order order;
  private Line[] lines = EMPTY;
  private int size;

  /** Criterion of a heap. A line can be in one heap of each order at a time. */
  enum Order {
    /** Lines that wait at a gate, or for their turn to be asked. */
    TURN,
    /** Lines of the same limits and class, the line with the oldest event first. */
    AGE
  }

  LineHeap(Order order) {
    this.order = order;
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the first line. To be called only if the heap is not empty. */
  Line first() {
    return lines[0];
  }

  Line poll() {
    Line first = lines[0];
    remove(first);
    return first;
  }

  void add(Line line) {
    if (size == lines.length) lines = Arrays.copyOf(lines, Math.max(2, size + (size >> 1)));
    size++;
    up(size - 1, line);
  }

  void remove(Line line) {
    int at = place(line);
    Line last = lines[--size];
    lines[size] = null;
    if (last == line) return;
    down(at, last);
    if (lines[at] == last) up(at, last);
  }

  /** Returns one of the heap's lines; they are in no particular order, except the first one. */
  Line get(int index) {
    return lines[index];
  }

  private void up(int from, Line line) {
    int at = from;
    while (at > 0 && line.isBefore(lines[(at - 1) >>> 1])) {
      put(at, lines[(at - 1) >>> 1]);
      at = (at - 1) >>> 1;
    }
    put(at, line);
  }

  private void down(int from, Line line) {
    int at = from;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && lines[child + 1].isBefore(lines[child])) child++;
      if (!lines[child].isBefore(line)) break;
      put(at, lines[child]);
      at = child;
    }
    put(at, line);
  }

  private void put(int at, Line line) {
    lines[at] = line;
    if (order == Order.TURN) line.turnPlace = at;
    else line.agePlace = at;
  }

  private int place(Line line) {
    return order == Order.TURN ? line.turnPlace : line.agePlace;
  }
}
