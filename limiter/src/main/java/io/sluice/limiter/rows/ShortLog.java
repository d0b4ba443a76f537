package io.sluice.limiter.rows;

import java.util.Optional;

/**
 * A log that is in its bucket's own row alone, in the form of {@link LongLog}: read for one
 * arrival, which comes behind all others if it is added.
 */
public final class ShortLog {
  /** How many bytes {@link #write} takes at most: all entries, and five numbers. */
  public static final int MOST_BYTES = LongLog.PIECE_BYTES + 5 * 10;

  private LogEntries entries;
  private final long newestMicros;
  private final long nextPiece;

  private ShortLog(LogEntries entries, long newestMicros, long nextPiece) {
    this.entries = entries;
    this.newestMicros = newestMicros;
    this.nextPiece = nextPiece;
  }

  /** Reads what {@link LongLog#write} wrote; nothing if that is not the whole log, and the end. */
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

  /** The instant of the latest entry, expired or not. */
  public long newestMicros() {
    return newestMicros;
  }

  /** Drops entries up to the cutoff, and says what they cost. */
  public long expire(long cutoffMicros) {
    return LongLog.expire(entries, cutoffMicros);
  }

  public void expireAll() {
    entries = new LogEntries();
  }

  /** Whether it has an entry of this event, or of one with the same hash. */
  public boolean holds(Fingerprint fingerprint) {
    return !fingerprint.isNone() && entries.hold(fingerprint.event());
  }

  /**
   * The instant of the entry with which, counted from the oldest, this many permits are reached.
   */
  public long reachedAt(long needed) {
    long reached = 0;
    for (LogEntries.Cursor each = entries.cursor(); each.advance(); ) {
      reached += each.cost();
      if (reached >= needed) return each.atMicros();
    }
    throw new IllegalStateException("a log holds " + reached + " permits, not " + needed);
  }

  /** Whether another entry leaves it in one row. */
  public boolean hasRoom() {
    return entries.size() + LogEntries.MOST_ENTRY_BYTES < LongLog.PIECE_BYTES;
  }

  /** Adds what {@link #read} reads, with one entry more, no earlier than the newest. */
  public void write(Fields out, long atMicros, long cost, Fingerprint fingerprint) {
    long baseMicros = isEmpty() ? atMicros : entries.baseMicros();
    long sinceMicros = isEmpty() ? 0 : atMicros - newestMicros;
    int size = entries.size() + LogEntries.bytesOf(sinceMicros, cost, fingerprint);
    out.add(atMicros).add(atMicros - baseMicros).add(nextPiece).add(0);
    out.add(size).add(entries).addEntry(sinceMicros, cost, fingerprint);
  }
}
