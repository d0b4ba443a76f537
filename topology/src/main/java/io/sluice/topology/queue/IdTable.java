package io.sluice.topology.queue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/**
 * Hash table of lines, of gates, or of waiting events, by their ids, with open addressing: there
 * may be a million of them, and an entry of {@code HashMap} with its key takes as much memory as
 * half a line. Not thread-safe.
 */
final class IdTable<T> {
  /*
   * The slots are numbers, and the elements are in the order in which they were added. With
   * references in the slots, a garbage collection of new objects would have to look at the whole
   * table, since new elements are written all over it.
   */
  private static final int LEAST = 16;

  private final ToLongFunction<T> id;

  /** Secret factor, since producers who choose their ids must not choose their slots. */
  private final long factor = new SplittableRandom().nextLong() | 1;

  /** For each slot, the number of its element from 1 on; 0 if the slot is free. */
  private int[] slots = new int[LEAST];

  private Object[] elements = new Object[LEAST / 2];
  private int size;

  IdTable(ToLongFunction<T> id) {
    this.id = id;
  }

  int size() {
    return size;
  }

  /** Returns the element with this id; null if there is none. */
  T get(long wanted) {
    int number = slots[slotOf(wanted)];
    return number == 0 ? null : element(number);
  }

  /** Returns all elements, in no particular order. */
  List<T> all() {
    List<T> all = new ArrayList<>(size);
    for (int number = 1; number <= size; number++) all.add(element(number));
    return all;
  }

  /** Adds an element, in place of the one with its id if there is one. */
  void add(T element) {
    if (2 * (size + 1) > slots.length) resize(2 * slots.length);
    int slot = slotOf(id.applyAsLong(element));
    if (slots[slot] == 0) {
      if (size == elements.length) elements = Arrays.copyOf(elements, size + (size >> 1));
      slots[slot] = ++size;
    }
    elements[slots[slot] - 1] = element;
  }

  /** Removes the element with this id, if there is one. */
  void remove(long wanted) {
    int free = slotOf(wanted);
    int number = slots[free];
    if (number == 0) return;
    // The last element takes its number.
    slots[slotOf(id.applyAsLong(element(size)))] = number;
    elements[number - 1] = elements[size - 1];
    elements[--size] = null;
    slots[free] = 0;
    // Moves the elements behind it that are not in their places because this one was in their way.
    for (int slot = next(free); slots[slot] != 0; slot = next(slot)) {
      int moved = slots[slot];
      slots[slot] = 0;
      put(moved);
    }
    if (slots.length > LEAST && 8 * size < slots.length) {
      elements = Arrays.copyOf(elements, Math.max(LEAST / 2, 2 * size));
      resize(slots.length / 2);
    }
  }

  private void put(int number) {
    slots[slotOf(id.applyAsLong(element(number)))] = number;
  }

  @SuppressWarnings("unchecked")
  private T element(int number) {
    return (T) elements[number - 1];
  }

  /** Returns the slot of an element, or the free slot in which it belongs. */
  private int slotOf(long wanted) {
    int slot = (int) ((wanted * factor) >>> Integer.SIZE) & (slots.length - 1);
    while (slots[slot] != 0 && id.applyAsLong(element(slots[slot])) != wanted) slot = next(slot);
    return slot;
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  private void resize(int length) {
    slots = new int[length];
    for (int number = 1; number <= size; number++) put(number);
  }
}
