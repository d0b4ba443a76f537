package io.sluice.topology.queue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.EventHash;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.delay.DelayQueue.Lane;
import io.sluice.topology.delay.DueKey;
import io.sluice.topology.delay.NewerRelease;
import io.sluice.topology.delay.PunctuationBudget;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Orders to cancel waiting events of one task, in the task's store. An order is about the events
 * that waited when its record was read. Not thread-safe.
 */
final class Cancellations {
  /*
   * Ticks look for the events of the open orders in passes over the rows of waiting events, each
   * within the time that a tick may take. A pass is for all orders that were open at its beginning;
   * those that come meanwhile are for the next pass. The row SCAN has the last order of the pass and
   * the number to go on at, so that a restart does not begin the pass again.
   *
   * An event that is covered by an open order must not be released before the pass reaches it, so
   * the queue asks about each event that it is about to meter.
   *
   * The buckets in a row's head tell cheaply that an order is not about the row. They are hashes by
   * which different events may agree, so an event is cancelled only by the values of its fields.
   * Rows that were written before the task was opened are decoded in any case: the configuration
   * may have had other keys then.
   *
   * With at-least-once, an order may come again after it was carried out, and must not cancel what
   * has arrived since. So the ids of the last orders are kept.
   */
  static final int MOST_OPEN = 1_000;

  /** Most ids of finished orders that are kept. */
  static final int MOST_FINISHED = 1_000;

  private static final byte PREFIX = (byte) 0x87;
  private static final Bytes SCAN = Bytes.wrap(new byte[] {PREFIX});
  private static final byte VERSION = 1;
  private static final byte OPEN = 1;
  private static final byte FINISHED = 2;

  private final KeyValueStore<Bytes, byte[]> store;
  private final CurrentLimits limits;
  private final long ownNumber;
  private final TreeMap<Long, Order> open = new TreeMap<>();
  private final Map<String, Known> known = new LinkedHashMap<>();
  private long nextOrder;

  /** Last order of the pass under way; smaller than those of all open orders if none is. */
  private long passOrder = -1;

  /** Number at which the pass goes on. */
  private long passNumber;

  /**
   * Place of an order in the sequence of orders, and the hash of its text.
   *
   * @param order position in the sequence
   */
  private record Known(long order, long hash) {}

  /**
   * Reads the orders from the store of a task.
   *
   * @param ownNumber number from which on events are stored with the limits of this process
   */
  Cancellations(KeyValueStore<Bytes, byte[]> store, CurrentLimits limits, long ownNumber) {
    this.store = store;
    this.limits = limits;
    this.ownNumber = ownNumber;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(key(0), key(Long.MAX_VALUE))) {
      while (rows.hasNext()) read(rows.next());
    }
    byte[] scan = store.get(SCAN);
    if (scan == null) return;
    ByteBuffer in = checked(scan);
    passOrder = in.getLong();
    passNumber = in.getLong();
  }

  private void read(KeyValue<Bytes, byte[]> row) {
    long order = ByteBuffer.wrap(row.key.get(), 1, Long.BYTES).getLong();
    ByteBuffer in = checked(row.value);
    byte state = in.get();
    long below = in.getLong();
    long hash = in.getLong();
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    nextOrder = order + 1;
    if (state == FINISHED) {
      known.put(new String(rest, UTF_8), new Known(order, hash));
      return;
    }
    try {
      CancelOrder text = CancelOrder.of(rest);
      known.put(text.id(), new Known(order, hash));
      open.put(order, new Order(text, below));
    } catch (UnreadableEventException e) {
      throw new IllegalStateException("unreadable order in the store " + Nodes.WAITING, e);
    }
  }

  private static ByteBuffer checked(byte[] row) {
    ByteBuffer in = ByteBuffer.wrap(row);
    int version = in.get() & 0xff;
    if (version == VERSION) return in;
    throw NewerRelease.wrote("an order in the store " + Nodes.WAITING, version, VERSION);
  }

  private static Bytes key(long order) {
    return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES).put(PREFIX).putLong(order).array());
  }

  private static byte[] row(byte state, long below, long hash, byte[] rest) {
    return ByteBuffer.allocate(2 + 2 * Long.BYTES + rest.length)
        .put(VERSION)
        .put(state)
        .putLong(below)
        .putLong(hash)
        .put(rest)
        .array();
  }

  /** Returns whether there are orders that are not carried out yet. */
  boolean areOpen() {
    return !open.isEmpty();
  }

  /**
   * Stores an order.
   *
   * @param value value of the order's record
   * @param nextNumber number above those of all events that the order may be about
   * @throws UnreadableEventException if the order cannot be carried out; the message says why
   */
  void add(byte[] value, long nextNumber) throws UnreadableEventException {
    CancelOrder text = CancelOrder.of(value);
    long hash = EventHash.of(new String(value, UTF_8));
    Known same = known.get(text.id());
    if (same != null && same.hash == hash) return;
    if (same != null) throw wrong("another order has the same id; give each order its own");
    if (open.size() == MOST_OPEN)
      throw wrong(
          "the partition has " + MOST_OPEN + " orders that are not carried out; try again later");
    known.put(text.id(), new Known(nextOrder, hash));
    open.put(nextOrder, new Order(text, nextNumber));
    store.put(key(nextOrder), row(OPEN, nextNumber, hash, value));
    nextOrder++;
  }

  private static UnreadableEventException wrong(String why) {
    return new UnreadableEventException(FaultKind.INVALID_FIELD, why);
  }

  /** Returns whether an open order is about a waiting event that has been decoded. */
  boolean cover(WaitingEvent waiting, EventRecord event) {
    if (open.isEmpty() || event.isFaulty()) return false;
    for (Order each : open.values())
      if (each.mayCover(waiting) && each.filter.covers(event.event())) return true;
    return false;
  }

  /**
   * Looks for waiting events of open orders, as far as the budget allows.
   *
   * @param found receives the events that an order may be about, with their rows
   */
  void work(PunctuationBudget budget, BiConsumer<WaitingEvent, byte[]> found) {
    if (open.isEmpty()) return;
    if (passOrder < open.firstKey()) {
      passOrder = open.lastKey();
      passNumber = 0;
    }
    long from = Math.max(passNumber, LeftEvents.first(store));
    long end = open.floorEntry(passOrder).getValue().below;
    if (from >= end || pass(from, end, budget, found)) finishPass();
    else store.put(SCAN, scan());
  }

  /** Returns whether all rows of the pass have been read. */
  private boolean pass(
      long from, long end, PunctuationBudget budget, BiConsumer<WaitingEvent, byte[]> found) {
    Bytes last = Lane.QUEUED.key(end - 1, Long.MAX_VALUE);
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(Lane.QUEUED.key(from, 0), last)) {
      while (rows.hasNext()) {
        if (budget.isSpent()) {
          passNumber = DueKey.dueMs(rows.peekNextKey());
          return false;
        }
        KeyValue<Bytes, byte[]> row = rows.next();
        WaitingEvent waiting = QueuedEvent.waiting(DueKey.dueMs(row.key), row.value);
        if (mayCover(waiting)) found.accept(waiting, row.value);
      }
      return true;
    }
  }

  private byte[] scan() {
    return ByteBuffer.allocate(1 + 2 * Long.BYTES)
        .put(VERSION)
        .putLong(passOrder)
        .putLong(passNumber)
        .array();
  }

  private boolean mayCover(WaitingEvent waiting) {
    for (Order each : open.values()) if (each.mayCover(waiting)) return true;
    return false;
  }

  private void finishPass() {
    Map<Long, Order> done = open.headMap(passOrder, true);
    done.forEach(
        (order, each) -> {
          long hash = known.get(each.text.id()).hash;
          store.put(key(order), row(FINISHED, each.below, hash, each.text.id().getBytes(UTF_8)));
        });
    done.clear();
    store.delete(SCAN);
    while (known.size() - open.size() > MOST_FINISHED) {
      // The first ids are those of finished orders, since orders are finished in their sequence.
      Map.Entry<String, Known> oldest = known.entrySet().iterator().next();
      store.delete(key(oldest.getValue().order));
      known.remove(oldest.getKey());
    }
  }

  /** Order with what is needed to compare events with it. */
  private final class Order {
    private final CancelOrder text;
    private final long below;
    private final WaitingList.Filter filter;
    private final Map<String, OptionalLong> buckets = new HashMap<>();

    Order(CancelOrder text, long below) {
      this.text = text;
      this.below = below;
      Map<Field, String> values = new HashMap<>();
      text.values()
          .forEach((field, value) -> values.put(field, limits.known().forms().of(field, value)));
      filter = new WaitingList.Filter(values, text.event(), text.limit(), false, 0);
    }

    /** Returns whether the order may be about an event, by the head of its row. */
    boolean mayCover(WaitingEvent waiting) {
      if (waiting.number() >= below) return false;
      List<String> names = waiting.place().limits();
      if (!text.limit().isEmpty() && !names.contains(text.limit())) return false;
      if (waiting.number() < ownNumber) return true;
      for (int i = 0; i < names.size(); i++) {
        OptionalLong bucket =
            buckets.computeIfAbsent(
                names.get(i), each -> filter.bucket(each, limits.known().ever()));
        if (bucket.isPresent() && bucket.getAsLong() != waiting.place().buckets().get(i))
          return false;
      }
      return true;
    }
  }
}
