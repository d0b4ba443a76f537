package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.EventHash;
import io.sluice.limiter.rows.UnknownFormatException;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.Origin;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Verdict;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The order of the events of a key, in which nobody jumps the queue: it knows of each shaped key
 * and input partition the last event that waits, until it has left. While one waits, every further
 * event of its key and partition goes to the end of the queue: one that conforms at once, and one
 * whose slot is earlier.
 */
public final class KeyOrder {
  /*
   * When can that be? The event clock may be past an instant that the wall clock has not reached, a
   * due event leaves at the next tick only, and after an outage many are overdue. A slot is earlier
   * than the end of the queue if Redis gave it to somebody who had read less and has died since: it
   * gives the same again, while the clock here has gone on, by which others were put into the queue.
   *
   * A row says that at least one event of the key waits, or is on its way into the queue. It goes
   * when the event leaves that took it. Should it be left behind (a limit that has changed its match,
   * a crash without exactly once), it is dropped once nothing that was due by then is left in the
   * queue, well after that, and well after it was taken: the slots of a backlog are long past when
   * they are given.
   */
  private static final long LEFT_BEHIND_MS = 3_600_000;

  /**
   * The last event of a key: its due time, its identity, and the time at which it took its turn.
   */
  record Last(long dueMs, long ticket, long takenMs) {
    /*
     * A row is the version of its format, and three numbers. Builds of 0.1 wrote no version: such
     * rows are the numbers alone, or the first two. So no row of a later format may have their size.
     */
    static final int VERSION = 1;
    private static final int BYTES = 1 + 3 * Long.BYTES;

    static Last of(byte[] row) {
      ByteBuffer in = ByteBuffer.wrap(row);
      boolean unversioned = row.length == 2 * Long.BYTES || row.length == 3 * Long.BYTES;
      int version = unversioned ? VERSION : in.get() & 0xff;
      if (version != VERSION) throw unknown(version);
      return new Last(in.getLong(), in.getLong(), in.hasRemaining() ? in.getLong() : 0);
    }

    private static UnknownFormatException unknown(int version) {
      String what = "a key's turn in the store " + Nodes.TURNS;
      return NewerRelease.wrote(what, version, VERSION);
    }

    byte[] toRow() {
      return ByteBuffer.allocate(BYTES)
          .put((byte) VERSION)
          .putLong(dueMs)
          .putLong(ticket)
          .putLong(takenMs)
          .array();
    }
  }

  private final Supplier<List<Limit>> ordered;
  private final KeyValueStore<Bytes, byte[]> rows;
  private final KeyValueStore<Bytes, byte[]> waiting;

  /**
   * @param ordered the limits that shape, now or at other times, of which all events of a key are
   *     metered in this task
   */
  KeyOrder(
      Supplier<List<Limit>> ordered,
      KeyValueStore<Bytes, byte[]> rows,
      KeyValueStore<Bytes, byte[]> waiting) {
    this.ordered = ordered;
    this.rows = rows;
    this.waiting = waiting;
  }

  /** The verdict that keeps the order; an event that it delays has taken its turn. */
  public Verdict keepOrder(Verdict verdict, EventRecord event, long wallMs) {
    if (verdict.kind() == Verdict.Kind.REJECTED || verdict.metersAgain()) return verdict;
    List<Bytes> keys = keys(event.event(), event.origin());
    if (keys.isEmpty()) return verdict;
    long lastMs = lastDueMs(keys, wallMs);
    boolean waits = verdict.kind() == Verdict.Kind.DELAYED;
    if (!waits && lastMs == 0) return verdict;
    long dueMs = waits ? Math.max(lastMs, verdict.dueMs()) : lastMs;
    take(keys, new Last(dueMs, ticket(event.origin()), wallMs));
    return verdict.delayedUntil(dueMs);
  }

  /** Those from one input partition have an order; they come here by one way, and stay in it. */
  private List<Bytes> keys(Event event, Origin origin) {
    List<Limit> limits = ordered.get();
    if (limits.isEmpty()) return List.of();
    List<Bytes> keys = List.of();
    String partition = origin.place();
    for (Limit limit : limits) {
      if (!limit.match().matches(event)) continue;
      if (keys.isEmpty()) keys = new ArrayList<>(limits.size());
      Bytes key = row(limit.name(), limit.key().of(event), partition);
      if (!keys.contains(key)) keys.add(key);
    }
    return keys;
  }

  /** Where it is noted whose turn it is. */
  static Bytes row(String limit, String key, String partition) {
    return Bytes.wrap((limit + '\0' + key + '\0' + partition).getBytes(UTF_8));
  }

  /**
   * The events that wait in order for a limit.
   *
   * @param nextMs when the first of them is due
   * @param more whether there may be more, as only the first of all that wait were looked at
   */
  public record Waiting(int count, long nextMs, boolean more) {
    private static final int MOST_LOOKED_AT = 20_000;

    private Waiting with(long dueMs) {
      return new Waiting(count + 1, count == 0 ? dueMs : nextMs, more);
    }
  }

  /** Those of a key among the first that wait in a partition; for any thread. */
  public static Waiting waiting(
      ReadOnlyKeyValueStore<Bytes, byte[]> store, String limit, String key) {
    byte[] beginning = row(limit, key, "").get();
    Waiting found = new Waiting(0, 0, false);
    int looked = 0;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(DueKey.FIRST, DueKey.LAST)) {
      while (rows.hasNext()) {
        if (looked++ == Waiting.MOST_LOOKED_AT) return new Waiting(found.count, found.nextMs, true);
        KeyValue<Bytes, byte[]> row = rows.next();
        boolean ofKey =
            DelayedEvent.of(row.value).turn().keys().stream()
                .anyMatch(each -> begins(each, beginning));
        if (ofKey) found = found.with(DueKey.dueMs(row.key));
      }
    }
    return found;
  }

  private static boolean begins(byte[] name, byte[] beginning) {
    int length = Math.min(name.length, beginning.length);
    return Arrays.equals(name, 0, length, beginning, 0, beginning.length);
  }

  /** When the last event that waits is due; 0 if none waits. */
  private long lastDueMs(List<Bytes> keys, long wallMs) {
    long lastMs = 0;
    for (Bytes key : keys) {
      byte[] row = rows.get(key);
      if (row == null) continue;
      Last last = Last.of(row);
      if (isLeftBehind(last, wallMs)) rows.delete(key);
      else lastMs = Math.max(lastMs, last.dueMs);
    }
    return lastMs;
  }

  private boolean isLeftBehind(Last last, long wallMs) {
    return wallMs - Math.max(last.dueMs, last.takenMs) > LEFT_BEHIND_MS
        && !DelayQueue.holdsAnyDue(waiting, last.dueMs);
  }

  private void take(List<Bytes> keys, Last last) {
    for (Bytes key : keys) rows.put(key, last.toRow());
  }

  /** The turn of an event on its way into the queue. */
  Turn of(Event event, Origin origin) {
    List<byte[]> keys = new ArrayList<>();
    for (Bytes key : keys(event, origin)) keys.add(key.get());
    return new Turn(ticket(origin), keys);
  }

  /** It leaves: if it was the last of a key, the next event of that need not wait. */
  void left(Turn turn, long dueMs) {
    for (byte[] name : turn.keys()) {
      Bytes key = Bytes.wrap(name);
      byte[] row = rows.get(key);
      if (row == null) continue;
      Last last = Last.of(row);
      if (last.dueMs == dueMs && last.ticket == turn.ticket()) rows.delete(key);
    }
  }

  private static long ticket(Origin origin) {
    return EventHash.of(origin.toString());
  }
}
