package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.EventHash;
import io.sluice.limiter.rows.UnknownFormatException;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
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
 * Keeps the events of a key in order while some of them are delayed. For each key of a shaping
 * limit and each input partition, stores the last waiting event until that event leaves. Until then
 * every further event of the same key and partition is delayed at least as long, even if it
 * conforms at once or has an earlier due time.
 */
public final class KeyOrder {
  /*
   * An event can conform while an earlier event of its key waits: event times may be ahead of the
   * wall clock, a due event leaves only at the next punctuation, and after an outage many events
   * are overdue. The due time of an event can be earlier than that of the last waiting event if
   * Redis had given the due time to a task that then died. Redis gives the same due time again,
   * although later due times have been given meanwhile.
   *
   * A row says that at least one event of the key waits, or is on its way into the queue. The row
   * is deleted when the event that wrote it leaves. If that event never leaves (the limit's match
   * has changed, or a crash without exactly-once), the row is deleted when the queue has no event
   * that was due by the row's due time, and an hour has passed since the due time and since the row
   * was written. Both times count, because in a backlog a due time may be long past when it is
   * given.
   */
  private static final long LEFT_BEHIND_MS = 3_600_000;

  /**
   * Row for the last waiting event of a key: the event's due time, the hash of the event's origin,
   * and the wall-clock time at which the row was written.
   *
   * @param dueMs due time, epoch milliseconds
   * @param ticket hash of the event's origin
   * @param takenMs wall-clock time at which the row was written, epoch milliseconds
   */
  record Last(long dueMs, long ticket, long takenMs) {
    /*
     * A row is the format version and three numbers. Release 0.1 wrote no format version: its rows
     * are the three numbers, or only the first two numbers. So a row of a later format must not
     * have 16 or 24 bytes.
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
   * @param ordered limits that delay events at any time, and whose events of a key are all metered
   *     in the same task
   * @param rows store of the last waiting event of each key
   * @param waiting store of the delayed events
   */
  KeyOrder(
      Supplier<List<Limit>> ordered,
      KeyValueStore<Bytes, byte[]> rows,
      KeyValueStore<Bytes, byte[]> waiting) {
    this.ordered = ordered;
    this.rows = rows;
    this.waiting = waiting;
  }

  /**
   * Returns the verdict on an event, delayed until the last waiting event with one of its keys is
   * due. Rejected events and events that are metered again keep their verdict. A delayed event is
   * stored as the last waiting event of its keys.
   */
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

  /**
   * Returns the store keys of an event's last waiting events, one for each ordered limit that
   * matches. A store key includes the input partition, because only events of the same input
   * partition have an order.
   */
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

  /** Returns the store key for a limit, a key of the limit and an input partition. */
  static Bytes row(String limit, String key, String partition) {
    return Bytes.wrap((limit + '\0' + key + '\0' + partition).getBytes(UTF_8));
  }

  /**
   * Number of delayed events of one key of a limit.
   *
   * @param nextMs due time of the first of these events, epoch milliseconds; 0 if none waits
   * @param more whether more events may wait, because only the first 20,000 events in the store
   *     were read
   */
  public record Waiting(int count, long nextMs, boolean more) {
    private static final int MOST_LOOKED_AT = 20_000;

    private Waiting with(long dueMs) {
      return new Waiting(count + 1, count == 0 ? dueMs : nextMs, more);
    }
  }

  /**
   * Counts the delayed events of a key among the first 20,000 delayed events of a partition. Any
   * thread may call it.
   *
   * @param store store of the delayed events
   */
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

  /**
   * Returns the latest due time of the last waiting events of several keys; 0 if no event waits.
   * Deletes rows of events that seem never to leave.
   */
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

  /** Returns the position, in the order of events with the same keys, of an event to be delayed. */
  Turn of(Event event, Origin origin) {
    List<byte[]> keys = new ArrayList<>();
    for (Bytes key : keys(event, origin)) keys.add(key.get());
    return new Turn(ticket(origin), keys);
  }

  /**
   * Deletes the rows of the keys of which a leaving event was the last waiting event, so that later
   * events of these keys need not wait.
   */
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
