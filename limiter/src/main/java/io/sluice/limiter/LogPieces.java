package io.sluice.limiter;

import java.nio.ByteBuffer;

/**
 * The older parts of a long log, each in a row of its own beside the key's row, numbered in order
 * of time. Rows that have expired are deleted when an arrival is added, not before: reading changes
 * nothing.
 */
final class LogPieces {
  private final Rows rows;
  private final byte[] row;
  private long stored;
  private long first;
  private long end;

  /** How far the first piece has been used up. */
  private int skippedBytes;

  private long skippedMicros;

  LogPieces(Rows rows, byte[] row) {
    this.rows = rows;
    this.row = row;
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
    byte[] value = rows.get(key(first + i));
    if (value == null)
      throw new IllegalStateException("a piece of a log is missing: " + (first + i));
    if (i == 0 && skippedBytes > 0) return new LogEntries(skippedMicros, value, skippedBytes);
    return new LogEntries(ByteBuffer.wrap(value).getLong(), value, Long.BYTES);
  }

  void add(LogEntries entries) {
    put(end++, entries);
  }

  private void put(long number, LogEntries entries) {
    byte[] value = new byte[Long.BYTES + entries.size()];
    ByteBuffer.wrap(value).putLong(entries.baseMicros());
    entries.copyTo(value, Long.BYTES);
    rows.put(key(number), value);
  }

  /** Passes over entries up to the cutoff, and says what they cost. */
  long expire(long cutoffMicros) {
    long freed = 0;
    while (!isEmpty()) {
      LogEntries oldest = at(0);
      freed += WindowLog.expire(oldest, cutoffMicros);
      keep(oldest);
      if (!oldest.isEmpty()) break;
    }
    return freed;
  }

  /**
   * Passes over entries while those passed over cost less than {@code excess}; says what they cost.
   */
  long dropOldest(long excess) {
    long freed = 0;
    while (!isEmpty()) {
      LogEntries oldest = at(0);
      LogEntries.Cursor each = oldest.cursor();
      while (each.advance() && freed + each.cost() < excess) {
        freed += each.cost();
        oldest.dropThrough(each);
      }
      keep(oldest);
      if (!oldest.isEmpty()) break;
    }
    return freed;
  }

  private void keep(LogEntries oldest) {
    boolean usedUp = oldest.isEmpty();
    if (usedUp) first++;
    skippedBytes = usedUp ? 0 : oldest.start();
    skippedMicros = usedUp ? 0 : oldest.baseMicros();
  }

  /** Adds an entry to the piece that its time falls into. */
  void insert(long atMicros, long cost, boolean refused, long eventHash) {
    int i = count() - 1;
    LogEntries piece = at(i);
    while (i > 0 && piece.baseMicros() > atMicros) piece = at(--i);
    piece.insert(atMicros, cost, refused, eventHash);
    put(first + i, piece);
    if (i == 0) skippedBytes = 0;
  }

  private byte[] key(long number) {
    int size = 1 + row.length + Long.BYTES;
    return ByteBuffer.allocate(size).put(RowKeys.PIECE).put(row).putLong(number).array();
  }
}
