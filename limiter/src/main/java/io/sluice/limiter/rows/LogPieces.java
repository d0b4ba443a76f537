package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.function.ObjLongConsumer;

/**
 * Older parts ("pieces") of a long log, each in a row of its own in addition to the bucket's row,
 * numbered in order of time. The rows of pieces whose entries are all expired or dropped are
 * deleted when an arrival is added, not before, because reading changes nothing.
 */
final class LogPieces {
  private static final int MOST_BYTES = 2 * 1024;

  /** Size in bytes of a piece's version, and of the instant from which its first entry counts. */
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  private final Rows rows;
  private final byte[] row;
  private final byte kind;
  private boolean torn;
  private long stored;
  private long first;
  private long end;

  /**
   * Offset in bytes of the end of the expired or dropped entries in the oldest piece. The instant
   * of the last of these entries is {@link #skippedMicros}.
   */
  private int skippedBytes;

  private long skippedMicros;

  /** Oldest piece, kept after it was read, because almost every arrival expires entries in it. */
  private LogEntries oldest;

  /**
   * @param kind first byte of the names of the rows with the pieces
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

  /** Writes the numbers and offsets of the pieces, as fields that {@link #read} reads. */
  void write(Fields out) {
    out.add(first).add(end - first);
    if (!isEmpty()) out.add(skippedBytes).add(skippedMicros);
  }

  /** Deletes the rows of pieces whose entries are all expired or dropped. */
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

  /** Returns the i-th piece from the oldest, without its expired or dropped entries. */
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

  /** Whether a piece was to be read whose row is missing. */
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

  /** Expires the entries up to the cutoff, and returns their cost in permits. */
  long expire(long cutoffMicros) {
    long freed = 0;
    while (!isEmpty()) {
      freed += LongLog.expire(at(0), cutoffMicros);
      if (!keepOldest()) break;
    }
    return freed;
  }

  /** Expires all entries of all pieces. */
  void expireAll() {
    first = end;
    skippedBytes = 0;
    oldest = null;
  }

  /**
   * Drops the oldest entries while their total cost is below {@code excess}, passes each of them to
   * {@code dropped}, and returns their cost in permits.
   */
  long dropOldest(long excess, ObjLongConsumer<Fingerprint> dropped) {
    long freed = 0;
    while (!isEmpty()) {
      freed += LongLog.dropOldest(at(0), excess - freed, dropped);
      if (!keepOldest()) break;
    }
    return freed;
  }

  /**
   * Notes how many entries of the oldest piece have expired or were dropped; returns whether these
   * are all.
   */
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
   * Inserts an entry into the piece that its instant falls into. Only reserved entries can be later
   * than the inserted one.
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
   * Writes the piece that an instant falls into again, unchanged. If entries are inserted, all
   * later pieces are written again too, because an insertion can have moved the entry to a later
   * piece.
   */
  void rewrite(long atMicros, boolean inserts) {
    if (isEmpty()) return;
    long number = first + indexOf(atMicros);
    long last = inserts ? end - 1 : number;
    while (number <= last) rows.rewrite(key(number++));
  }

  /** Splits a piece into two, so that insertions do not make a piece grow without bound. */
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
