package io.sluice.limiter.rows;

import java.util.Optional;

/**
 * Log of the arrivals of one bucket whose entries are all in the bucket's own row, in the format of
 * {@link LongLog}. It is read for one arrival; if that arrival is added, it must be the newest
 * entry.
 */
public final class ShortLog {
  /** Largest number of bytes that {@link #write} can write: all entries, and five numbers. */
  public static final int MOST_BYTES = LongLog.PIECE_BYTES + 5 * 10;

  private LogEntries entries;
  private final long newestMicros;
  private final long nextPiece;

  private ShortLog(LogEntries entries, long newestMicros, long nextPiece) {
    this.entries = entries;
    this.newestMicros = newestMicros;
    this.nextPiece = nextPiece;
  }

  /**
   * Reads the log from the fields that {@link LongLog#write} wrote; empty if the log has further
   * rows, or if more fields follow.
   */
  public static Optional<ShortLog> read(Fields in) {
    long newestMicros = in.next();
    long baseMicros = newestMicros - in.next();
    long nextPiece = in.next();
    boolean hasPieces = in.next() > 0;
    if (hasPieces) return Optional.empty();
    int size = (int) in.next();
    LogEntries entries = in.entries(baseMicros, size);
    return in.isAtEnd()
        ? Optional.of(new ShortLog(entries, newestMicros, nextPiece))
        : Optional.empty();
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns the instant of the latest entry in epoch microseconds, whether expired or not. */
  public long newestMicros() {
    return newestMicros;
  }

  /** Drops the entries up to the cutoff, and returns their cost in permits. */
  public long expire(long cutoffMicros) {
    return LongLog.expire(entries, cutoffMicros);
  }

  public void expireAll() {
    entries = new LogEntries();
  }

  /** Whether any entry has the event hash of this fingerprint. */
  public boolean holds(Fingerprint fingerprint) {
    return !fingerprint.isNone() && entries.hold(fingerprint.event());
  }

  /**
   * Returns the instant of the entry at which the cost of the entries, summed up from the oldest,
   * reaches this many permits.
   */
  public long reachedAt(long needed) {
    long reached = 0;
    for (LogEntries.Cursor each = entries.cursor(); each.advance(); ) {
      reached += each.cost();
      if (reached >= needed) return each.atMicros();
    }
    throw new IllegalStateException("a log holds " + reached + " permits, not " + needed);
  }

  /** Whether the log still fits in one row after one more entry is added. */
  public boolean hasRoom() {
    return entries.size() + LogEntries.MOST_ENTRY_BYTES < LongLog.PIECE_BYTES;
  }

  /**
   * Writes the fields that {@link #read} reads, with one more entry, which is no earlier than the
   * newest entry.
   */
  public void write(Fields out, long atMicros, long cost, Fingerprint fingerprint) {
    long baseMicros = isEmpty() ? atMicros : entries.baseMicros();
    long sinceMicros = isEmpty() ? 0 : atMicros - newestMicros;
    int size = entries.size() + LogEntries.bytesOf(sinceMicros, cost, fingerprint);
    out.add(atMicros).add(atMicros - baseMicros).add(nextPiece).add(0);
    out.add(size).add(entries).addEntry(sinceMicros, cost, fingerprint);
  }
}
