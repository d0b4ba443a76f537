package io.sluice.topology.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.kafka.common.utils.Bytes;

/**
 * First keys of a table in their order, found in one pass. A sweep needs some hundreds several
 * times a second: to sort all keys each time would cost it more than all else, and so would a
 * longer list, most of which it may not use.
 */
final class NextKeys {
  /** Most keys in a list; more than a sweep looks at. A shorter list is the last one. */
  static final int MOST = 320;

  private final RowTable table;
  private final PriorityQueue<Bytes> least = new PriorityQueue<>(Comparator.reverseOrder());

  private NextKeys(RowTable table) {
    this.table = table;
  }

  /**
   * @param from smallest key, or null
   * @param to largest key, or null
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
