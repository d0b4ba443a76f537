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
 * The events that wait in one lane of a partition's store, by the time they are due, and the place
 * from which the lane is read on.
 */
final class DelayQueue {
  /*
   * On disk a deleted row is a tombstone that every scan from the beginning steps over, 120 ms for a
   * million. So a scan begins where the last one ended, at a place below which nothing waits.
   *
   * The place is also a row of its own, written behind the tombstones of each tick that lets events
   * go. The changelog forgets tombstones after a while. Whoever reads it and stands still for longer
   * in between, such as the standby of an instance that is paused or cut off, keeps rows of events
   * that have left; so does an instance that comes back late with an old store. But whoever has read
   * past where the tombstones were has read a place as well, and nobody looks below that. Such rows
   * are deleted at the beginning.
   *
   * This needs what has left to be below the place and what waits to be above. So an event that is
   * due and must stay, because Redis does not answer, goes to another lane, which is read no further
   * than to the first that must still stay. Only if the
   * clock goes back, and something is to wait from below the place, is that lowered. What is above
   * it then and has left did so by a clock that was ahead: its tombstones are younger than that
   * clock's lead, and still there if this is less than they live.
   */
  static final Bytes PLACE = Lane.RELEASES.place;

  /**
   * A part of the store with an order of its own. Builds up to 0.2 know the first one only, and do
   * not see the rows of the others.
   *
   * @param prefix of all keys
   * @param place the key of the row that says where the lane is read on: before all others
   */
  record Lane(Bytes prefix, Bytes place) {
    /** Events that the wall clock releases. */
    static final Lane RELEASES = new Lane(Bytes.wrap(new byte[0]), Bytes.wrap(new byte[] {0}));

    /** Retried events that are allowed already, but not before the wall clock has come so far. */
    static final Lane ALLOWED = beginningWith(Bytes.wrap(new byte[] {(byte) 0x81}));

    /** Retried events that are rejected already, likewise. */
    static final Lane REJECTED = beginningWith(Bytes.wrap(new byte[] {(byte) 0x82}));

    /** Events to be metered when Redis is back, by the time at which they came to wait for it. */
    static final Lane AWAITING_REDIS = beginningWith(Bytes.wrap(new byte[] {(byte) 0x83}));

    private static final byte RETRIES = (byte) 0x80;
    private static final int BESIDE_INPUT = 2;
    private static final Pattern INPUT = Pattern.compile("[A-Za-z0-9._-]{1,300}");

    /** Events of an input partition to be metered again, which wait for its clock. */
    static Lane ofRetries(String input) {
      byte[] name = input.getBytes(UTF_8);
      ByteBuffer prefix = ByteBuffer.allocate(name.length + BESIDE_INPUT);
      return beginningWith(Bytes.wrap(prefix.put(RETRIES).put(name).put((byte) 1).array()));
    }

    /** Whether this may be the name of an input partition. */
    static boolean isInput(String name) {
      return INPUT.matcher(name).matches();
    }

    private static Lane beginningWith(Bytes prefix) {
      byte[] place = prefix.get().clone();
      if (place.length > 1) place[place.length - 1] = 0;
      return new Lane(prefix, Bytes.wrap(place));
    }

    /** The input partitions of which the store holds retries. */
    static Set<String> inputsOfRetries(KeyValueStore<Bytes, byte[]> store) {
      Set<String> inputs = new TreeSet<>();
      Bytes first = Bytes.wrap(new byte[] {RETRIES});
      Bytes last = ALLOWED.prefix;
      try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, last)) {
        while (rows.hasNext()) {
          byte[] key = rows.next().key.get();
          int length = key.length - BESIDE_INPUT - DueKey.LENGTH;
          boolean waits = length >= 0 && key[0] == RETRIES && key[1 + length] == 1;
          if (waits) inputs.add(new String(key, 1, length, UTF_8)); // else it is a place
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
   * A place is the version of its format and a key; what 0.1 wrote is the key alone. The second
   * version says that there may be more lanes than the first, so builds up to 0.2 refuse the store.
   */
  static final int PLACE_VERSION = 2;

  static final int FIRST_LANE_ALONE = 1;

  private static final int MOST_MISSED_PER_TICK = 10_000;

  private final KeyValueStore<Bytes, byte[]> store;
  private final Lane lane;
  private Bytes from;

  /** Whether {@link #from} is the key of the first one that waits, and not below it. */
  private boolean exact;

  private Bytes noted;
  private boolean toNote;
  private boolean mayHaveMissed;
  private long waiting;

  /** The events that the wall clock releases. */
  DelayQueue(KeyValueStore<Bytes, byte[]> store) {
    this(store, Lane.RELEASES, row -> {});
  }

  /**
   * Finds out where events wait, and how many, by looking at each.
   *
   * @param waits told of each row that waits
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
    toNote = mayHaveMissed || waiting > 0; // whoever had it before may not have come to it
  }

  /** How many events wait. */
  long waiting() {
    return waiting;
  }

  /** Nothing waits that is due before. */
  long placeMs() {
    return DueKey.dueMs(noted);
  }

  /** Whether everything that waits comes after this key. */
  boolean isBeforeAll(Bytes key) {
    return waiting == 0 || key.compareTo(from) < 0;
  }

  /** Whether anything waits in a store that was due by then. */
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

  /** The key in the row of a place. */
  static Bytes place(byte[] row) {
    if (row.length == DueKey.LENGTH) return Bytes.wrap(row);
    ByteBuffer in = ByteBuffer.wrap(row);
    int version = in.get() & 0xff;
    if (version == FIRST_LANE_ALONE || version == PLACE_VERSION)
      return DueKey.of(in.getLong(), in.getLong());
    String what = "the place up to which events have left the store " + Nodes.WAITING;
    throw NewerRelease.wrote(what, version, PLACE_VERSION);
  }

  static byte[] placeRow(Bytes key, int version) {
    return ByteBuffer.allocate(1 + DueKey.LENGTH)
        .put((byte) version)
        .putLong(DueKey.dueMs(key))
        .putLong(DueKey.offset(key))
        .array();
  }

  /** Says in the store that there may be events in other lanes than the first. */
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

  /** Whether anything can be due by then, without a look into the store. */
  boolean mayHaveDue(long dueMs) {
    return waiting > 0 && DueKey.dueMs(from) <= dueMs;
  }

  /** When the first one that waits is due; the end of time if none waits. */
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

  /** What is due by then, in order, if {@link #mayHaveDue}; events may leave while it is read. */
  KeyValueIterator<Bytes, byte[]> due(long dueMs) {
    return store.range(from, lane.key(dueMs, Long.MAX_VALUE));
  }

  /** Where those begin that are not due by then. */
  Bytes after(long dueMs) {
    return lane.key(dueMs + 1, 0);
  }

  void leave(Bytes key) {
    store.delete(key);
    waiting--;
    toNote = true;
    exact = false;
  }

  /** Nothing waits below this key any more. */
  void readUpTo(Bytes key) {
    from = key;
    exact = false;
  }

  /**
   * To be called with every tick: notes where the queue is read on from if anything has left.
   *
   * @param nowMs nothing that comes from now on is due before it
   */
  void note(long nowMs) {
    if (mayHaveMissed) mayHaveMissed = deleteMissed(lane.first(), MOST_MISSED_PER_TICK);
    if (!toNote) return;
    toNote = false;
    Bytes now = after(nowMs); // what is still to come waits from there on
    Bytes place = waiting == 0 || from.compareTo(now) > 0 ? now : from;
    if (place.compareTo(noted) > 0) note(place);
  }

  private void note(Bytes place) {
    boolean alone = lane.equals(Lane.RELEASES) && !isMarked(store);
    store.put(lane.place, placeRow(place, alone ? FIRST_LANE_ALONE : PLACE_VERSION));
    noted = place;
  }

  /** Makes room below the place for what waits although it was due before it. */
  private void lower(Bytes key) {
    deleteMissed(key, Integer.MAX_VALUE);
    note(key);
  }

  /** Deletes rows below the place, and says whether there may be more. */
  private boolean deleteMissed(Bytes first, int most) {
    int deleted = 0;
    try (KeyValueIterator<Bytes, byte[]> rows = store.range(first, noted)) {
      for (; deleted < most && rows.hasNext(); deleted++) {
        Bytes key = rows.next().key;
        if (key.equals(noted)) return false; // that one waits
        store.delete(key);
      }
    }
    return deleted == most;
  }

  /** How long the first one that waits has been overdue; 0 if it is not. */
  long overdueMs(long nowMs) {
    return waiting == 0 ? 0 : Math.max(0, nowMs - DueKey.dueMs(from));
  }
}
