package io.sluice.topology.queue;

import java.util.Arrays;

/**
 * Binary heap whose elements know their positions, so that any of them can be moved or removed in
 * logarithmic time. Not thread-safe.
 *
 * @param <T> type of the elements; each can be in the heap once
 */
abstract class IndexedHeap<T> {
  private static final Object[] EMPTY = {};

  /** Position of an element that is in no heap. */
  static final int NOWHERE = -1;

  private Object[] elements = EMPTY;
  private int size;

  /** Returns whether an element comes before another one. */
  abstract boolean isBefore(T one, T other);

  /** Notes the position of an element; {@link #NOWHERE} if it was removed. */
  abstract void setPosition(T element, int position);

  /** Returns the position that was noted last. */
  abstract int position(T element);

  final int size() {
    return size;
  }

  final boolean isEmpty() {
    return size == 0;
  }

  /** Returns the first element. To be called only if the heap is not empty. */
  final T first() {
    return get(0);
  }

  /** Returns one of the elements; they are in no particular order, except the first one. */
  @SuppressWarnings("unchecked")
  final T get(int index) {
    return (T) elements[index];
  }

  final void add(T element) {
    if (size == elements.length)
      elements = Arrays.copyOf(elements, Math.max(2, size + (size >> 1)));
    size++;
    up(size - 1, element);
  }

  final void remove(T element) {
    int at = position(element);
    T last = get(--size);
    elements[size] = null;
    if (at != size) settle(at, last);
    setPosition(element, NOWHERE);
  }

  /** Moves an element to its place, after its order has changed. */
  final void update(T element) {
    settle(position(element), element);
  }

  private void settle(int at, T element) {
    down(at, element);
    if (position(element) == at) up(at, element);
  }

  private void up(int from, T element) {
    int at = from;
    while (at > 0 && isBefore(element, get((at - 1) >>> 1))) {
      put(at, get((at - 1) >>> 1));
      at = (at - 1) >>> 1;
    }
    put(at, element);
  }

  private void down(int from, T element) {
    int at = from;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && isBefore(get(child + 1), get(child))) child++;
      if (!isBefore(get(child), element)) break;
      put(at, get(child));
      at = child;
    }
    put(at, element);
  }

  private void put(int at, T element) {
    elements[at] = element;
    setPosition(element, at);
  }
}
