package io.sluice.topology.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/**
 * Hash table of lines, of gates, or of waiting events, by their ids, with open addressing: there
 * may be a million of them, and an entry of {@code HashMap} with its key takes as much memory as
 * half a line. Not thread-safe.
 */
final class IdTable<T> {
  private static final int LEAST = 16;

  private final ToLongFunction<T> id;

  /** Secret factor, since producers who choose their ids must not choose their slots. */
  private final long factor = new SplittableRandom().nextLong() | 1;

  private Object[] slots = new Object[LEAST];
  private int size;

  IdTable(ToLongFunction<T> id) {
    this.id = id;
  }

  int size() {
    return size;
  }

  /** Returns the element with this id; null if there is none. */
  T get(long wanted) {
    return at(slotOf(wanted));
  }

  /** Returns all elements, in no particular order. */
  List<T> all() {
    List<T> all = new ArrayList<>(size);
    for (int slot = 0; slot < slots.length; slot++) if (slots[slot] != null) all.add(at(slot));
    return all;
  }

  /** Adds an element, in place of the one with its id if there is one. */
  void add(T element) {
    if (2 * (size + 1) > slots.length) resize(2 * slots.length);
    int slot = slotOf(id.applyAsLong(element));
    if (slots[slot] == null) size++;
    slots[slot] = element;
  }

  /** Removes the element with this id, if there is one. */
  void remove(long wanted) {
    int free = slotOf(wanted);
    if (slots[free] == null) return;
    slots[free] = null;
    size--;
    // Moves the elements behind it that are not in their places because this one was in their way.
    for (int slot = next(free); slots[slot] != null; slot = next(slot)) {
      T element = at(slot);
      slots[slot] = null;
      put(element);
    }
    if (slots.length > LEAST && 8 * size < slots.length) resize(slots.length / 2);
  }

  private void put(T element) {
    slots[slotOf(id.applyAsLong(element))] = element;
  }

  @SuppressWarnings("unchecked")
  private T at(int slot) {
    return (T) slots[slot];
  }

  /** Returns the slot of an element, or the free slot in which it belongs. */
  private int slotOf(long wanted) {
    int slot = (int) ((wanted * factor) >>> Integer.SIZE) & (slots.length - 1);
    while (slots[slot] != null && id.applyAsLong(at(slot)) != wanted) slot = next(slot);
    return slot;
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }

  private void resize(int length) {
    List<T> all = all();
    slots = new Object[length];
    for (T each : all) put(each);
  }
}
