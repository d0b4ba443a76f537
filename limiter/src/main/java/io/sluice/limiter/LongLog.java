package io.sluice.limiter;

import java.util.function.Consumer;

/**
 * Arrivals of one bucket in order of time, however many: the newest are in the bucket's own row,
 * full pieces of about 1 KiB in rows beside it that are never written again, and deleted when their
 * last entry has left the window. A short log, as most are, is one row.
 */
final class LongLog {
  private static final int PIECE_BYTES = 1024;

  private final Storage storage;
  private final byte[] row;
  private final byte kind;
  private final LogPieces pieces;
  private LogEntries tail = new LogEntries();
  private long newestMicros;

  /**
   * An empty log.
   *
   * @param row the bucket's
   * @param kind of the rows beside it
   */
  LongLog(Storage storage, byte[] row, byte kind) {
    this.storage = storage;
    this.row = row;
    this.kind = kind;
    pieces = new LogPieces(storage.rows(), row, kind);
  }

  /** Reads what {@link #write} wrote; the tail's bytes are the last of the fields. */
  void read(Fields in) {
    newestMicros = in.next();
    long baseMicros = newestMicros - in.next();
    pieces.read(in);
    int size = (int) in.next();
    tail = in.entries(baseMicros, size);
  }

  void write(Fields out) {
    out.add(newestMicros).add(newestMicros - tail.baseMicros());
    pieces.write(out);
    out.add(tail.size()).add(tail);
  }

  /** How many bytes {@link #write} takes at most. */
  int mostBytes() {
    return 7 * 10 + tail.size();
  }

  boolean isEmpty() {
    return tail.isEmpty() && pieces.isEmpty();
  }

  /** The instant of the latest entry, expired or not; 0 if there never was one. */
  long newestMicros() {
    return newestMicros;
  }

  void add(long atMicros, long cost, boolean refused, Identity identity) {
    if (atMicros >= newestMicros || isEmpty()) {
      tail.append(newestMicros, atMicros, cost, refused, identity);
      newestMicros = atMicros;
    } else if (pieces.isEmpty() || (!tail.isEmpty() && atMicros >= tail.baseMicros())) {
      tail.insert(atMicros, cost, refused, identity);
    } else {
      pieces.insert(atMicros, cost, refused, identity);
      storage.indexes().find(row, kind).ifPresent(i -> i.put(identity, atMicros));
    }
  }

  /**
   * To be called when entries have been added: rewrites the rows beside the bucket's own.
   *
   * @param cutoffMicros what no arrival will ask for any more: the bucket's clock has passed it
   */
  void tidy(long cutoffMicros) {
    pieces.deleteUsedUp();
    if (!pieces.isEmpty()) {
      storage.indexes().find(row, kind).ifPresent(index -> index.forgetThrough(cutoffMicros));
    }
    if (tail.size() < PIECE_BYTES) return;
    pieces.add(tail);
    storage.indexes().find(row, kind).ifPresent(index -> index.putAll(tail));
    tail = new LogEntries();
  }

  /** Drops entries up to the cutoff, and says what they cost. */
  long expire(long cutoffMicros) {
    long freed = pieces.expire(cutoffMicros);
    return pieces.isEmpty() ? freed + expire(tail, cutoffMicros) : freed;
  }

  static long expire(LogEntries entries, long cutoffMicros) {
    long freed = 0;
    LogEntries.Cursor each = entries.cursor();
    while (entries.baseMicros() <= cutoffMicros
        && each.advance()
        && each.atMicros() <= cutoffMicros) {
      freed += each.cost();
      entries.dropThrough(each);
    }
    return freed;
  }

  void expireAll() {
    pieces.expireAll();
    tail = new LogEntries();
  }

  /** Drops the oldest entries while those dropped cost less than {@code excess}, and shows each. */
  long dropOldest(long excess, Consumer<LogEntries.Cursor> dropped) {
    long freed = pieces.dropOldest(excess, dropped);
    return pieces.isEmpty() ? freed + dropOldest(tail, excess - freed, dropped) : freed;
  }

  static long dropOldest(LogEntries entries, long excess, Consumer<LogEntries.Cursor> dropped) {
    long freed = 0;
    LogEntries.Cursor each = entries.cursor();
    while (each.advance() && freed + each.cost() < excess) {
      freed += each.cost();
      dropped.accept(each);
      entries.dropThrough(each);
    }
    return freed;
  }

  /**
   * The instant of the entry with which, counted from the oldest, this many permits are reached.
   */
  long reachedAt(long needed) {
    long reached = 0;
    for (int i = 0; i <= pieces.count(); i++) {
      LogEntries entries = i < pieces.count() ? pieces.at(i) : tail;
      for (LogEntries.Cursor each = entries.cursor(); each.advance(); ) {
        reached += each.cost();
        if (reached >= needed) return each.atMicros();
      }
    }
    throw new IllegalStateException("a log holds " + reached + " permits, not " + needed);
  }

  /** What is remembered of an identity that came after {@code sinceMicros}. */
  PriorCharge prior(Identity identity, long sinceMicros) {
    PriorCharge inTail = tail.prior(identity, sinceMicros);
    if (pieces.isEmpty()) return inTail;
    return PriorCharge.stronger(inTail, index().prior(identity, sinceMicros));
  }

  private LogIndex index() {
    return storage.indexes().find(row, kind).orElseGet(this::newIndex);
  }

  private LogIndex newIndex() {
    LogIndex index = new LogIndex();
    for (int i = 0; i < pieces.count(); i++) index.putAll(pieces.at(i));
    storage.indexes().keep(row, kind, index);
    return index;
  }

  /** Deletes the rows beside the bucket's own. */
  void deletePieces() {
    pieces.deleteAll();
  }
}
