package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.function.ObjLongConsumer;

/**
 * Older parts ("pieces") of a long log, each in a row of its own beside the bucket's row, numbered
 * in order of time. The rows of used-up pieces are deleted when an arrival is added, not before,
 * because reading changes nothing.
 */
final class LogPieces {
  private static final int MOST_BYTES = 2 * 1024;

  /** Size of the version, and of the instant that the first entry counts from. */
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  private final Rows rows;
  private final byte[] row;
  private final byte kind;
  private boolean torn;
  private long stored;
  private long first;
  private long end;

  /** End of the used-up entries in the first piece, and the instant of the last of them. */
  private int skippedBytes;

  private long skippedMicros;

  /** Oldest piece once it is read, because almost every arrival expires entries in it. */
  private LogEntries oldest;

  /**
   * @param kind of the rows that have the pieces
   */
  LogPieces(Rows rows, byte[] row, byte kind) {
    this.rows = rows;
    this.row = row;
    this.kind = kind;
  }

  void read(Fields in) {
    first = stored = in.next();
    end = first + in.next();
    if (isEmpty()) return;
    skippedBytes = (int) in.next();
    skippedMicros = in.next();
  }

  /** Writes the fields that {@link #read} reads. */
  void write(Fields out) {
    out.add(first).add(end - first);
    if (!isEmpty()) out.add(skippedBytes).add(skippedMicros);
  }

  /** Deletes the rows of used-up pieces. */
  void deleteUsedUp() {
    while (stored < first) rows.delete(key(stored++));
  }

  void deleteAll() {
    for (long number = stored; number < end; number++) rows.delete(key(number));
  }

  boolean isEmpty() {
    return first == end;
  }

  int count() {
    return (int) (end - first);
  }

  /** Returns the i-th piece from the oldest, without its used-up entries. */
  LogEntries at(int i) {
    if (i > 0) return load(first + i);
    if (oldest == null) oldest = load(first);
    return oldest;
  }

  private LogEntries load(long number) {
    byte[] value = rows.get(key(number));
    if (value == null) {
      torn = true;
      return new LogEntries();
    }
    if (number == first && skippedBytes > 0) {
      return new LogEntries(skippedMicros, value, skippedBytes);
    }
    StoredFormat.check(value, "a piece of a log");
    return new LogEntries(ByteBuffer.wrap(value).getLong(1), value, HEAD_BYTES);
  }

  /** Whether the row of a piece that was read is missing. */
  boolean isTorn() {
    return torn;
  }

  void add(LogEntries entries) {
    put(end++, entries);
  }

  private void put(long number, LogEntries entries) {
    byte[] value = new byte[HEAD_BYTES + entries.size()];
    ByteBuffer.wrap(value).put(StoredFormat.VERSION).putLong(entries.baseMicros());
    entries.copyTo(value, HEAD_BYTES);
    rows.put(key(number), value);
  }

  /** Uses up entries up to the cutoff, and returns their cost. */
  long expire(long cutoffMicros) {
    long freed = 0;
    while (!isEmpty()) {
      freed += LongLog.expire(at(0), cutoffMicros);
      if (!keepOldest()) break;
    }
    return freed;
  }

  /** Uses up all entries. */
  void expireAll() {
    first = end;
    skippedBytes = 0;
    oldest = null;
  }

  /**
   * Uses up the oldest entries while their total cost is below {@code excess}, passes each to
   * {@code dropped}, and returns their cost.
   */
  long dropOldest(long excess, ObjLongConsumer<Fingerprint> dropped) {
    long freed = 0;
    while (!isEmpty()) {
      freed += LongLog.dropOldest(at(0), excess - freed, dropped);
      if (!keepOldest()) break;
    }
    return freed;
  }

  /** Stores how far the oldest piece is used up; returns whether it is used up completely. */
  private boolean keepOldest() {
    boolean usedUp = oldest.isEmpty();
    skippedBytes = usedUp ? 0 : oldest.start();
    skippedMicros = usedUp ? 0 : oldest.baseMicros();
    if (usedUp) {
      first++;
      oldest = null;
    }
    return usedUp;
  }

  /**
   * Inserts an entry into the piece that its instant falls into. Only reservations can be later
   * than it.
   */
  void insert(long atMicros, long cost, boolean refused, Fingerprint fingerprint) {
    int i = indexOf(atMicros);
    LogEntries piece = at(i);
    piece.insert(atMicros, cost, refused, fingerprint);
    if (piece.size() > MOST_BYTES) split(first + i, piece);
    else put(first + i, piece);
    if (i > 0) return;
    skippedBytes = 0;
    oldest = null;
  }

  private int indexOf(long atMicros) {
    int i = count() - 1;
    while (i > 0 && at(i).baseMicros() > atMicros) i--;
    return i;
  }

  /**
   * Writes the piece that an instant falls into again, unchanged; and all later pieces too if
   * entries are inserted, because that can have moved them.
   */
  void rewrite(long atMicros, boolean inserts) {
    if (isEmpty()) return;
    long number = first + indexOf(atMicros);
    long last = inserts ? end - 1 : number;
    while (number <= last) rows.rewrite(key(number++));
  }

  /** Splits a piece in two, so that insertions do not make it grow without bound. */
  private void split(long number, LogEntries piece) {
    for (long later = end++; later > number + 1; later--) {
      byte[] moved = rows.get(key(later - 1));
      if (moved == null) rows.delete(key(later));
      else rows.put(key(later), moved);
    }
    put(number, piece.takeOlderHalf());
    put(number + 1, piece);
  }

  private byte[] key(long number) {
    int size = 1 + row.length + Long.BYTES;
    return ByteBuffer.allocate(size).put(kind).put(row).putLong(number).array();
  }
}
