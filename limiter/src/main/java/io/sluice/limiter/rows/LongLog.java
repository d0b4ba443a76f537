package io.sluice.limiter.rows;

import java.util.function.ObjLongConsumer;

/**
 * Arrivals of one bucket in order of time, however many: the newest are in the bucket's own row,
 * full pieces of about 1 KiB in rows beside it that are never written again, and deleted when their
 * last entry has left the window. A short log, as most are, is one row.
 */
public final class LongLog {
  static final int PIECE_BYTES = 1024;

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
  public LongLog(Storage storage, byte[] row, byte kind) {
    this.storage = storage;
    this.row = row;
    this.kind = kind;
    pieces = new LogPieces(storage.rows(), row, kind);
  }

  /** Reads what {@link #write} wrote; the tail's bytes are the last of the fields. */
  public void read(Fields in) {
    newestMicros = in.next();
    long baseMicros = newestMicros - in.next();
    pieces.read(in);
    int size = (int) in.next();
    tail = in.entries(baseMicros, size);
  }

  public void write(Fields out) {
    out.add(newestMicros).add(newestMicros - tail.baseMicros());
    pieces.write(out);
    out.add(tail.size()).add(tail);
  }

  /** How many bytes {@link #write} takes at most. */
  public int mostBytes() {
    return 7 * 10 + tail.size();
  }

  public boolean isEmpty() {
    return tail.isEmpty() && pieces.isEmpty();
  }

  /** The instant of the latest entry, expired or not; 0 if there never was one. */
  public long newestMicros() {
    return newestMicros;
  }

  public void add(long atMicros, long cost, boolean refused, Fingerprint fingerprint) {
    if (atMicros >= newestMicros || isEmpty()) {
      tail.append(newestMicros, atMicros, cost, refused, fingerprint);
      newestMicros = atMicros;
    } else if (pieces.isEmpty() || (!tail.isEmpty() && atMicros >= tail.baseMicros())) {
      tail.insert(atMicros, cost, refused, fingerprint);
    } else {
      pieces.insert(atMicros, cost, refused, fingerprint);
      storage.indexes().find(row, kind).ifPresent(i -> i.put(fingerprint, atMicros));
    }
  }

  /**
   * To be called when entries have been added: rewrites the rows beside the bucket's own.
   *
   * @param cutoffMicros what no arrival will ask for any more: the bucket's clock has passed it
   */
  public void tidy(long cutoffMicros) {
    pieces.deleteUsedUp();
    if (!pieces.isEmpty()) {
      storage.indexes().find(row, kind).ifPresent(index -> index.forgetThrough(cutoffMicros));
    }
    if (tail.size() < PIECE_BYTES) return;
    pieces.add(tail);
    storage.indexes().find(row, kind).ifPresent(index -> index.putAll(tail));
    tail = new LogEntries();
  }

  /**
   * Writes the row beside the bucket's own that an instant falls into once more.
   *
   * @param inserts whether arrivals may come before others, which moves rows on
   */
  public void rewrite(long atMicros, boolean inserts) {
    pieces.rewrite(atMicros, inserts);
  }

  /** Drops entries up to the cutoff, and says what they cost. */
  public long expire(long cutoffMicros) {
    long freed = pieces.expire(cutoffMicros);
    return pieces.isEmpty() ? freed + expire(tail, cutoffMicros) : freed;
  }

  /** The cost of the entries up to the cutoff, which stay. */
  public long costThrough(long cutoffMicros) {
    long cost = 0;
    for (int i = 0; i <= pieces.count(); i++) {
      LogEntries entries = i < pieces.count() ? pieces.at(i) : tail;
      for (LogEntries.Cursor each = entries.cursor(); each.advance(); cost += each.cost()) {
        if (each.atMicros() > cutoffMicros) return cost;
      }
    }
    return cost;
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

  /** Drops all entries, also such as have not expired. */
  public void forgetAll() {
    storage.indexes().forget(row, kind);
    expireAll();
  }

  public void expireAll() {
    pieces.expireAll();
    tail = new LogEntries();
  }

  /**
   * Drops the oldest entries while those dropped cost less than {@code excess}, and shows each with
   * its instant.
   */
  public long dropOldest(long excess, ObjLongConsumer<Fingerprint> dropped) {
    long freed = pieces.dropOldest(excess, dropped);
    return pieces.isEmpty() ? freed + dropOldest(tail, excess - freed, dropped) : freed;
  }

  static long dropOldest(LogEntries entries, long excess, ObjLongConsumer<Fingerprint> dropped) {
    long freed = 0;
    LogEntries.Cursor each = entries.cursor();
    while (each.advance() && freed + each.cost() < excess) {
      freed += each.cost();
      dropped.accept(each.fingerprint(), each.atMicros());
      entries.dropThrough(each);
    }
    return freed;
  }

  /**
   * Whether some entries turned out to be lost: at least once, where rows may hold what their
   * changelog does not, a row that a refused attempt has made full is not written again, since that
   * attempt is not recognised when it comes again. Such a log may be read exactly once later.
   */
  public boolean isTorn() {
    return pieces.isTorn();
  }

  /** What all entries cost that are there; reads every row. */
  public long cost() {
    long cost = 0;
    for (int i = 0; i <= pieces.count(); i++) {
      LogEntries entries = i < pieces.count() ? pieces.at(i) : tail;
      for (LogEntries.Cursor each = entries.cursor(); each.advance(); ) cost += each.cost();
    }
    return cost;
  }

  /**
   * The instant of the entry with which, counted from the oldest, this many permits are reached; of
   * the newest if some are lost and they are not.
   */
  public long reachedAt(long needed) {
    long reached = 0;
    for (int i = 0; i <= pieces.count(); i++) {
      LogEntries entries = i < pieces.count() ? pieces.at(i) : tail;
      for (LogEntries.Cursor each = entries.cursor(); each.advance(); ) {
        reached += each.cost();
        if (reached >= needed) return each.atMicros();
      }
    }
    if (isTorn()) return newestMicros;
    throw new IllegalStateException("a log holds " + reached + " permits, not " + needed);
  }

  /** What is remembered of a fingerprint that came after {@code sinceMicros}. */
  public PriorCharge prior(Fingerprint fingerprint, long sinceMicros) {
    PriorCharge inTail = tail.prior(fingerprint, sinceMicros);
    if (pieces.isEmpty()) return inTail;
    return PriorCharge.stronger(inTail, index().prior(fingerprint, sinceMicros));
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
  public void deletePieces() {
    pieces.deleteAll();
  }
}
