package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.topology.intake.Nodes;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Queue of the delayed events in one range of keys of a task's store (a lane), ordered by due time.
 * It also stores a resume position: the key below which no event of the range waits.
 */
public final class DelayQueue {
  /*
   * On disk a deleted row is a tombstone, and a scan from the first key would step over all
   * tombstones, which takes long. So a scan starts at the resume position, below which no event
   * waits.
   *
   * The resume position is also stored as a row, written after the deletions of each punctuation
   * that released events. The changelog drops tombstones after a while. A standby that does not
   * read for longer than that, or an instance that returns with an old store, keeps rows of
   * released events. But its store also has a later resume position, and no scan reads below that.
   * Such stale rows are deleted in the first punctuations.
   *
   * This requires that the keys of released events are below the resume position and those of
   * waiting events are not. So a due event that must stay, because Redis does not answer, moves to
   * another range, which is read only up to the first event that must still stay. If the wall clock
   * goes back and an event has to wait below the resume position, the position is lowered. The
   * released events above the lowered position left while the clock was ahead: their tombstones
   * still exist if the clock was ahead by less than tombstones live.
   */
  static final Bytes PLACE = Lane.RELEASES.place;

  /**
   * Range of keys in the store of delayed events, with its own order and its own resume position.
   * Releases of Sluice up to 0.2 read only the first range, {@link #RELEASES}.
   *
   * @param prefix first bytes of every event's key in the range
   * @param place key of the row with the resume position; sorts before all events of the range
   */
  public record Lane(Bytes prefix, Bytes place) {
    /**
     * Key range of the delayed events that are allowed, without being metered again, when the wall
     * clock reaches their due time.
     */
    static final Lane RELEASES = new Lane(Bytes.wrap(new byte[0]), Bytes.wrap(new byte[] {0}));

    /**
     * Key range of retried events that already have the verdict allowed, and leave when the wall
     * clock reaches their due time.
     */
    static final Lane ALLOWED = beginningWith(Bytes.wrap(new byte[] {(byte) 0x81}));

    /**
     * Key range of retried events that already have the verdict rejected, and leave when the wall
     * clock reaches their due time.
     */
    static final Lane REJECTED = beginningWith(Bytes.wrap(new byte[] {(byte) 0x82}));

    /**
     * Key range of events that are metered when Redis is available again. Their keys have a
     * sequence number in place of a due time.
     */
    static final Lane AWAITING_REDIS = beginningWith(Bytes.wrap(new byte[] {(byte) 0x83}));

    /**
     * Key range of events that wait in line for limits with {@code exceeded=queue}. Their keys have
     * the number of their arrival in place of a due time. They leave in any order, so the range has
     * no resume position.
     */
    public static final Lane QUEUED = beginningWith(Bytes.wrap(new byte[] {(byte) 0x84}));

    private static final byte RETRIES = (byte) 0x80;
    private static final int BESIDE_INPUT = 2;
    private static final Pattern INPUT = Pattern.compile("[A-Za-z0-9._-]{1,300}");

    /**
     * Returns the key range of the events of one input partition that wait to be metered again when
     * the partition's clock reaches their due time.
     */
    static Lane ofRetries(String input) {
      byte[] name = input.getBytes(UTF_8);
      ByteBuffer prefix = ByteBuffer.allocate(name.length + BESIDE_INPUT);
      return beginningWith(Bytes.wrap(prefix.put(RETRIES).put(name).put((byte) 1).array()));
    }

    /** Returns whether a text can be the name of an input partition: its characters and length. */
    static boolean isInput(String name) {
      return INPUT.matcher(name).matches();
    }

    private static Lane beginningWith(Bytes prefix) {
      byte[] place = prefix.get().clone();
      if (place.length > 1) place[place.length - 1] = 0;
      return new Lane(prefix, Bytes.wrap(place));
    }

    /**
     * Returns the names of the input partitions that have events in the store which wait to be
     * metered again.
     */
    static Set<String> inputsOfRetries(KeyValueStore<Bytes, byte[]> store) {
      Set<String> inputs = new TreeSet<>();
      Bytes first = Bytes.wrap(new byte[] {RETRIES});
      Bytes last = ALLOWED.prefix;
      try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, last)) {
        while (rows.hasNext()) {
          byte[] key = rows.next().key.get();
          int length = key.length - BESIDE_INPUT - DueKey.LENGTH;
          boolean waits = length >= 0 && key[0] == RETRIES && key[1 + length] == 1;
          // Other keys in this range are those of rows with a resume position.
          if (waits) inputs.add(new String(key, 1, length, UTF_8));
        }
      }
      return inputs;
    }

    /** Returns the key of an event: the prefix, the due time and a number. */
    public Bytes key(long dueMs, long offset) {
      return DueKey.of(prefix.get(), dueMs, offset);
    }

    /** Returns whether a key of the store is that of an event in this range. */
    boolean holds(Bytes key) {
      return first().compareTo(key) <= 0 && key.compareTo(last()) <= 0;
    }

    private Bytes first() {
      return key(0, 0);
    }

    /** Returns the largest possible key of an event in this range. */
    public Bytes last() {
      return key(Long.MAX_VALUE, Long.MAX_VALUE);
    }
  }

  /**
   * Format version of a row with a resume position: version, due time and offset. Release 0.1 wrote
   * no version. Version 2 says that the store may have events in other key ranges than the first
   * range, so that releases up to 0.2 refuse the store.
   */
  static final int PLACE_VERSION = 2;

  static final int FIRST_LANE_ALONE = 1;

  private static final int MOST_MISSED_PER_TICK = 10_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private final Lane lane;
  private Bytes from;

  /**
   * Whether {@link #from} is the key of the first waiting event; otherwise {@link #from} may be
   * smaller.
   */
  private boolean exact;

  private Bytes noted;
  private boolean toNote;
  private boolean mayHaveMissed;
  private long waiting;

  /**
   * Opens the queue of the delayed events that leave when the wall clock reaches their due time.
   */
  DelayQueue(KeyValueStore<Bytes, byte[]> store) {
    this(store, Lane.RELEASES, row -> {});
  }

  /**
   * Opens the queue in a key range of the store, and counts its waiting events with a scan.
   *
   * @param waits receives the row of each waiting event
   */
  DelayQueue(
      KeyValueStore<Bytes, byte[]> store, Lane lane, Consumer<KeyValue<Bytes, byte[]>> waits) {
    this.store = store;
    this.lane = lane;
    noted = noted(store, lane);
    from = noted;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(noted, lane.last())) {
      if (rows.hasNext()) from = rows.peekNextKey();
      for (; rows.hasNext(); waiting++) waits.accept(rows.next());
    }
    mayHaveMissed = !noted.equals(lane.first());
    // The last owner of the task may have ended before it stored its resume position.
    toNote = mayHaveMissed || waiting > 0;
  }

  /** Returns the number of waiting events in the queue. */
  long waiting() {
    return waiting;
  }

  /** Returns the due time in the stored resume position: no waiting event is due earlier. */
  long placeMs() {
    return DueKey.dueMs(noted);
  }

  /** Returns whether the keys of all waiting events are larger than a key. */
  boolean isBeforeAll(Bytes key) {
    return waiting == 0 || key.compareTo(from) < 0;
  }

  /**
   * Returns whether the store has an event to release by the wall clock that is due at a time or
   * earlier.
   */
  static boolean holdsAnyDue(KeyValueStore<Bytes, byte[]> store, long dueMs) {
    Bytes place = noted(store, Lane.RELEASES);
    if (place.compareTo(DueKey.lastAt(dueMs)) > 0) return false;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(place, DueKey.lastAt(dueMs))) {
      return rows.hasNext();
    }
  }

  private static Bytes noted(KeyValueStore<Bytes, byte[]> store, Lane lane) {
    byte[] row = store.get(lane.place);
    if (row == null) return lane.first();
    Bytes place = place(row);
    return lane.key(DueKey.dueMs(place), DueKey.offset(place));
  }

  /** Returns the resume position in a stored row: a key without the prefix of its key range. */
  static Bytes place(byte[] row) {
    if (row.length == DueKey.LENGTH) return Bytes.wrap(row);
    ByteBuffer in = ByteBuffer.wrap(row);
    int version = in.get() & 0xff;
    if (version == FIRST_LANE_ALONE || version == PLACE_VERSION)
      return DueKey.of(in.getLong(), in.getLong());
    String what = "the release position of the store " + Nodes.WAITING;
    throw NewerRelease.wrote(what, version, PLACE_VERSION);
  }

  static byte[] placeRow(Bytes key, int version) {
    return ByteBuffer.allocate(1 + DueKey.LENGTH)
        .put((byte) version)
        .putLong(DueKey.dueMs(key))
        .putLong(DueKey.offset(key))
        .array();
  }

  /**
   * Marks the store as one with events in other key ranges than the first one, so that releases up
   * to 0.2, which read only the first key range, refuse the store.
   */
  public static void mark(KeyValueStore<Bytes, byte[]> store) {
    if (isMarked(store)) return;
    store.put(PLACE, placeRow(noted(store, Lane.RELEASES), PLACE_VERSION));
  }

  private static boolean isMarked(KeyValueStore<Bytes, byte[]> store) {
    byte[] row = store.get(PLACE);
    return row != null && row.length != DueKey.LENGTH && row[0] == PLACE_VERSION;
  }

  void add(Bytes key, byte[] event) {
    if (isBeforeAll(key)) {
      from = key;
      exact = true;
    }
    if (key.compareTo(noted) < 0) lower(key);
    if (store.putIfAbsent(key, event) == null) waiting++;
  }

  /** Returns whether an event may be due at a time or earlier, without reading the store. */
  boolean mayHaveDue(long dueMs) {
    return waiting > 0 && DueKey.dueMs(from) <= dueMs;
  }

  /** Returns the due time of the first waiting event; {@link Long#MAX_VALUE} if no event waits. */
  long firstDueMs() {
    if (waiting == 0) return Long.MAX_VALUE;
    if (!exact) {
      try (KeyValueIterator<Bytes, byte[]> rows = store.range(from, lane.last())) {
        if (rows.hasNext()) from = rows.peekNextKey();
      }
      exact = true;
    }
    return DueKey.dueMs(from);
  }

  /**
   * Returns the events that are due at a time or earlier, in order. To be called only if {@link
   * #mayHaveDue}. Events may be removed during the iteration.
   */
  KeyValueIterator<Bytes, byte[]> due(long dueMs) {
    return store.range(from, lane.key(dueMs, Long.MAX_VALUE));
  }

  /** Returns the smallest key after all events that are due at a time or earlier. */
  Bytes after(long dueMs) {
    return lane.key(dueMs + 1, 0);
  }

  void leave(Bytes key) {
    store.delete(key);
    waiting--;
    toNote = true;
    exact = false;
  }

  /** Sets the key at which the next scan starts, because no event below it waits any more. */
  void readUpTo(Bytes key) {
    from = key;
    exact = false;
  }

  /**
   * Stores the resume position if events have left, and deletes rows below it that were released
   * long ago. To be called at every release interval.
   *
   * @param nowMs time after which all events that are added later are due, epoch milliseconds
   */
  void note(long nowMs) {
    if (mayHaveMissed) mayHaveMissed = deleteMissed(lane.first(), MOST_MISSED_PER_TICK);
    if (!toNote) return;
    toNote = false;
    // Events that are added later are due after nowMs, so their keys are not below this key.
    Bytes now = after(nowMs);
    Bytes place = waiting == 0 || from.compareTo(now) > 0 ? now : from;
    if (place.compareTo(noted) > 0) note(place);
  }

  private void note(Bytes place) {
    boolean alone = lane.equals(Lane.RELEASES) && !isMarked(store);
    store.put(lane.place, placeRow(place, alone ? FIRST_LANE_ALONE : PLACE_VERSION));
    noted = place;
  }

  /** Lowers the resume position to the key of an added event that is due before the position. */
  private void lower(Bytes key) {
    deleteMissed(key, Integer.MAX_VALUE);
    note(key);
  }

  /**
   * Deletes rows of released events below the resume position, whose tombstones were missed.
   *
   * @param first smallest key to delete
   * @param most largest number of rows to delete
   * @return whether there may be more such rows
   */
  private boolean deleteMissed(Bytes first, int most) {
    int deleted = 0;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, noted)) {
      for (; deleted < most && rows.hasNext(); deleted++) {
        Bytes key = rows.next().key;
        // The event at the resume position itself still waits.
        if (key.equals(noted)) return false;
        store.delete(key);
      }
    }
    return deleted == most;
  }

  /**
   * Returns how long the first waiting event has been overdue, milliseconds; 0 if it is not
   * overdue, or if no event waits.
   */
  long overdueMs(long nowMs) {
    return waiting == 0 ? 0 : Math.max(0, nowMs - DueKey.dueMs(from));
  }
}
