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
 * Queue of the events in one lane of a task's store, ordered by due time. Stores the position at
 * which reading resumes.
 */
final class DelayQueue {
  /*
   * On disk a deleted row is a tombstone, which every scan from the first key steps over: 120 ms
   * for a million. So a scan starts at the resume position, below which no event waits.
   *
   * The resume position is also stored as a row, written after the deletions of each tick that
   * released events. The changelog drops tombstones after a while. A standby that does not read for
   * longer than that, or an instance that returns with an old store, keeps rows of released events.
   * But it has also read a later resume position, and no scan reads below that. Such stale rows are
   * deleted in the first ticks.
   *
   * This requires that released events are below the position and waiting events above it. So an
   * event that is due and must stay, because Redis does not answer, moves to another lane, which is
   * read only up to the first event that must still stay. If the clock goes back and an event has
   * to wait below the position, the position is lowered. Released events above it left while the
   * clock was ahead: their tombstones still exist if the clock was ahead by less than tombstones
   * live.
   */
  static final Bytes PLACE = Lane.RELEASES.place;

  /**
   * Range of keys in the store with an order and a resume position of its own. Versions up to 0.2
   * read the first lane only and do not see the others.
   *
   * @param prefix first bytes of every key of the lane
   * @param place key of the row with the resume position; sorts before all events of the lane
   */
  record Lane(Bytes prefix, Bytes place) {
    /** Events that leave when the wall clock reaches their due time. */
    static final Lane RELEASES = new Lane(Bytes.wrap(new byte[0]), Bytes.wrap(new byte[] {0}));

    /** Retried events that are allowed before the wall clock reaches their due time. */
    static final Lane ALLOWED = beginningWith(Bytes.wrap(new byte[] {(byte) 0x81}));

    /** Retried events that are rejected before the wall clock reaches their due time. */
    static final Lane REJECTED = beginningWith(Bytes.wrap(new byte[] {(byte) 0x82}));

    /** Events to meter when Redis is back, ordered by a sequence number in place of a due time. */
    static final Lane AWAITING_REDIS = beginningWith(Bytes.wrap(new byte[] {(byte) 0x83}));

    private static final byte RETRIES = (byte) 0x80;
    private static final int BESIDE_INPUT = 2;
    private static final Pattern INPUT = Pattern.compile("[A-Za-z0-9._-]{1,300}");

    /** Returns the lane of one input partition's retries, which wait for that partition's clock. */
    static Lane ofRetries(String input) {
      byte[] name = input.getBytes(UTF_8);
      ByteBuffer prefix = ByteBuffer.allocate(name.length + BESIDE_INPUT);
      return beginningWith(Bytes.wrap(prefix.put(RETRIES).put(name).put((byte) 1).array()));
    }

    /** Returns whether the text can be the name of an input partition. */
    static boolean isInput(String name) {
      return INPUT.matcher(name).matches();
    }

    private static Lane beginningWith(Bytes prefix) {
      byte[] place = prefix.get().clone();
      if (place.length > 1) place[place.length - 1] = 0;
      return new Lane(prefix, Bytes.wrap(place));
    }

    /** Returns the names of the input partitions that have retries in the store. */
    static Set<String> inputsOfRetries(KeyValueStore<Bytes, byte[]> store) {
      Set<String> inputs = new TreeSet<>();
      Bytes first = Bytes.wrap(new byte[] {RETRIES});
      Bytes last = ALLOWED.prefix;
      try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, last)) {
        while (rows.hasNext()) {
          byte[] key = rows.next().key.get();
          int length = key.length - BESIDE_INPUT - DueKey.LENGTH;
          boolean waits = length >= 0 && key[0] == RETRIES && key[1 + length] == 1;
          if (waits) inputs.add(new String(key, 1, length, UTF_8)); // else it is a resume position
        }
      }
      return inputs;
    }

    Bytes key(long dueMs, long offset) {
      return DueKey.of(prefix.get(), dueMs, offset);
    }

    private Bytes first() {
      return key(0, 0);
    }

    Bytes last() {
      return key(Long.MAX_VALUE, Long.MAX_VALUE);
    }
  }

  /**
   * Format of a row with a resume position: version, due time and offset; 0.1 wrote no version.
   * Version 2 says that the store may have rows in other lanes than the first, so that versions up
   * to 0.2 refuse it.
   */
  static final int PLACE_VERSION = 2;

  static final int FIRST_LANE_ALONE = 1;

  private static final int MOST_MISSED_PER_TICK = 10_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private final Lane lane;
  private Bytes from;

  /** Whether {@link #from} is the key of the first waiting event; otherwise it may be below. */
  private boolean exact;

  private Bytes noted;
  private boolean toNote;
  private boolean mayHaveMissed;
  private long waiting;

  /** Opens the lane of the events that the wall clock releases. */
  DelayQueue(KeyValueStore<Bytes, byte[]> store) {
    this(store, Lane.RELEASES, row -> {});
  }

  /**
   * Opens a lane and counts its waiting events with a scan.
   *
   * @param waits receives each waiting row
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
    toNote = mayHaveMissed || waiting > 0; // the last owner may not have stored the position
  }

  /** Returns the number of waiting events. */
  long waiting() {
    return waiting;
  }

  /** Returns the stored resume position's time: no waiting event is due earlier. */
  long placeMs() {
    return DueKey.dueMs(noted);
  }

  /** Returns whether all waiting events come after this key. */
  boolean isBeforeAll(Bytes key) {
    return waiting == 0 || key.compareTo(from) < 0;
  }

  /** Returns whether the store holds an event to release that is due by {@code dueMs}. */
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

  /** Returns the key in a row with a resume position, without the lane's prefix. */
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

  /** Marks the store as one with rows in other lanes than the first. */
  static void mark(KeyValueStore<Bytes, byte[]> store) {
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

  /** Returns whether an event may be due by {@code dueMs}, without reading the store. */
  boolean mayHaveDue(long dueMs) {
    return waiting > 0 && DueKey.dueMs(from) <= dueMs;
  }

  /** Returns the due time of the first waiting event; {@link Long#MAX_VALUE} if none waits. */
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
   * Returns the events due by {@code dueMs}, in order, if {@link #mayHaveDue}. Events may leave
   * during the iteration.
   */
  KeyValueIterator<Bytes, byte[]> due(long dueMs) {
    return store.range(from, lane.key(dueMs, Long.MAX_VALUE));
  }

  /** Returns the first key after all events that are due by {@code dueMs}. */
  Bytes after(long dueMs) {
    return lane.key(dueMs + 1, 0);
  }

  void leave(Bytes key) {
    store.delete(key);
    waiting--;
    toNote = true;
    exact = false;
  }

  /** Sets the key below which no event waits any more. */
  void readUpTo(Bytes key) {
    from = key;
    exact = false;
  }

  /**
   * Stores the resume position if events have left, and deletes stale rows. To be called with every
   * tick.
   *
   * @param nowMs events that are added later are due after this time
   */
  void note(long nowMs) {
    if (mayHaveMissed) mayHaveMissed = deleteMissed(lane.first(), MOST_MISSED_PER_TICK);
    if (!toNote) return;
    toNote = false;
    Bytes now = after(nowMs); // events that are added later sort at or after this key
    Bytes place = waiting == 0 || from.compareTo(now) > 0 ? now : from;
    if (place.compareTo(noted) > 0) note(place);
  }

  private void note(Bytes place) {
    boolean alone = lane.equals(Lane.RELEASES) && !isMarked(store);
    store.put(lane.place, placeRow(place, alone ? FIRST_LANE_ALONE : PLACE_VERSION));
    noted = place;
  }

  /** Lowers the resume position to the key of an event that is due before it. */
  private void lower(Bytes key) {
    deleteMissed(key, Integer.MAX_VALUE);
    note(key);
  }

  /**
   * Deletes up to {@code most} stale rows below the position; returns whether there may be more.
   */
  private boolean deleteMissed(Bytes first, int most) {
    int deleted = 0;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, noted)) {
      for (; deleted < most && rows.hasNext(); deleted++) {
        Bytes key = rows.next().key;
        if (key.equals(noted)) return false; // this event waits
        store.delete(key);
      }
    }
    return deleted == most;
  }

  /**
   * Returns how long the first waiting event has been overdue; 0 if it is not, or if none waits.
   */
  long overdueMs(long nowMs) {
    return waiting == 0 ? 0 : Math.max(0, nowMs - DueKey.dueMs(from));
  }
}
