package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.function.ObjLongConsumer;

/**
 * The older parts of a long log, each in a row of its own beside the key's row, numbered in order
 * of time. Rows that have expired are deleted when an arrival is added, not before: reading changes
 * nothing.
 */
final class LogPieces {
  private static final int MOST_BYTES = 2 * 1024;

  /** The version, and the instant that the first entry counts from. */
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  private final Rows rows;
  private final byte[] row;
  private final byte kind;
  private boolean torn;
  private long stored;
  private long first;
  private long end;

  /** How far the first piece has been used up. */
  private int skippedBytes;

  private long skippedMicros;

  /** The oldest piece once it is read: almost every arrival asks what of it has expired. */
  private LogEntries oldest;

  /**
   * @param kind of rows that the pieces are
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

  /** Adds what {@link #read} reads. */
  void write(Fields out) {
    out.add(first).add(end - first);
    if (!isEmpty()) out.add(skippedBytes).add(skippedMicros);
  }

  /** Deletes the rows of pieces that are used up. */
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

  /** The i-th piece from the oldest, without what has been used up. */
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

  /** Whether a piece that was asked for is lost. */
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

  /** Passes over entries up to the cutoff, and says what they cost. */
  long expire(long cutoffMicros) {
    long freed = 0;
    while (!isEmpty()) {
      freed += LongLog.expire(at(0), cutoffMicros);
      if (!keepOldest()) break;
    }
    return freed;
  }

  /** Passes over all entries. */
  void expireAll() {
    first = end;
    skippedBytes = 0;
    oldest = null;
  }

  /**
   * Passes over entries while those passed over cost less than {@code excess}, and shows each; says
   * what they cost.
   */
  long dropOldest(long excess, ObjLongConsumer<Fingerprint> dropped) {
    long freed = 0;
    while (!isEmpty()) {
      freed += LongLog.dropOldest(at(0), excess - freed, dropped);
      if (!keepOldest()) break;
    }
    return freed;
  }

  /** Notes how far the oldest piece is used up, and says whether it was to the end. */
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

  /** Adds an entry to the piece that its time falls into. Only reservations can come after it. */
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
   * Writes the piece that a time falls into once more; where entries are inserted, which may have
   * moved others on, all behind it, too.
   */
  void rewrite(long atMicros, boolean inserts) {
    if (isEmpty()) return;
    long number = first + indexOf(atMicros);
    long last = inserts ? end - 1 : number;
    while (number <= last) rows.rewrite(key(number++));
  }

  /** Cuts a piece in two, so that one that much is inserted into does not grow without bound. */
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
