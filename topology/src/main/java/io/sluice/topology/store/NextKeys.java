package io.sluice.topology.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.kafka.common.utils.Bytes;

/**
 * Finds the first keys of a hash table in key order, in one pass over the table. The sweep that
 * deletes idle rows needs a few hundred keys several times a second. Sorting all keys each time, or
 * collecting a longer list, would cost more than the rest of the sweep.
 */
final class NextKeys {
  /**
   * Largest number of keys in a list; more than a sweep usually checks at once. A shorter list
   * contains all remaining keys of the range.
   */
  static final int MOST = 320;

  private final RowTable table;
  private final PriorityQueue<Bytes> least = new PriorityQueue<>(Comparator.reverseOrder());

  private NextKeys(RowTable table) {
    this.table = table;
  }

  /**
   * @param from smallest key of the range, or null
   * @param to largest key of the range, or null
   */
  static List<Bytes> of(RowTable table, Bytes from, Bytes to) {
    NextKeys next = new NextKeys(table);
    for (int place = 0; place < table.places(); place++) {
      if (table.isUsed(place) && next.isWithin(place, from, to)) next.take(place);
    }
    List<Bytes> keys = new ArrayList<>(next.least);
    Collections.sort(keys);
    return keys;
  }

  private boolean isWithin(int place, Bytes from, Bytes to) {
    if (from != null && table.compareKey(place, from.get()) < 0) return false;
    if (to != null && table.compareKey(place, to.get()) > 0) return false;
    return least.size() < MOST || table.compareKey(place, least.peek().get()) < 0;
  }

  private void take(int place) {
    if (least.size() == MOST) least.poll();
    least.add(Bytes.wrap(table.key(place)));
  }
}
