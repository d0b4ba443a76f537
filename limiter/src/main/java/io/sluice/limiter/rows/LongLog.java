package io.sluice.limiter.rows;

import java.util.function.ObjLongConsumer;

/**
 * Log of the arrivals of one bucket, in order of time and of any length. The newest entries are in
 * the bucket's own row; full pieces of about 1 KiB are in further rows, which are written again
 * only to insert an entry, and deleted when their last entry has left the window. Most logs are
 * short and need the bucket's own row only.
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
   * Creates an empty log.
   *
   * @param row name of the bucket's row
   * @param kind first byte of the names of the further rows
   */
  public LongLog(Storage storage, byte[] row, byte kind) {
    this.storage = storage;
    this.row = row;
    this.kind = kind;
    pieces = new LogPieces(storage.rows(), row, kind);
  }

  /** Reads the log from the fields that {@link #write} wrote. */
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

  /** Returns the largest number of bytes that {@link #write} can write. */
  public int mostBytes() {
    return 7 * 10 + tail.size();
  }

  public boolean isEmpty() {
    return tail.isEmpty() && pieces.isEmpty();
  }

  /**
   * Returns the instant of the latest entry in epoch microseconds, whether expired or not; 0 if
   * there was never one.
   */
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
   * Updates the log's further rows after an entry was added: deletes those whose entries are all
   * expired or dropped, and moves the entries of the bucket's own row to a new one if they are 1
   * KiB or more.
   *
   * @param cutoffMicros instant up to which no entry is needed any more, because it has left the
   *     window that ends at the bucket's clock
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
   * Writes the further row that an instant falls into again, unchanged.
   *
   * @param inserts whether entries can be inserted before others, which moves entries to later rows
   */
  public void rewrite(long atMicros, boolean inserts) {
    pieces.rewrite(atMicros, inserts);
  }

  /** Drops the entries up to the cutoff, and returns their cost in permits. */
  public long expire(long cutoffMicros) {
    long freed = pieces.expire(cutoffMicros);
    return pieces.isEmpty() ? freed + expire(tail, cutoffMicros) : freed;
  }

  /** Returns the cost in permits of the entries up to the cutoff, and keeps the entries. */
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

  /** Drops all entries, whether expired or not, and the hash index of their identities. */
  public void forgetAll() {
    storage.indexes().forget(row, kind);
    expireAll();
  }

  public void expireAll() {
    pieces.expireAll();
    tail = new LogEntries();
  }

  /**
   * Drops the oldest entries while their total cost is below {@code excess}, and passes each of
   * them with its instant to {@code dropped}.
   *
   * @return the cost of the dropped entries in permits
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
   * Whether entries turned out to be lost, because a further row is missing. With at-least-once
   * processing, rows can hold entries that their changelog does not: a full row with a refused
   * attempt is not written again when the attempt comes again, because the attempt is not
   * recognised. The log may be read later with exactly-once processing.
   */
  public boolean isTorn() {
    return pieces.isTorn();
  }

  /** Returns the cost in permits of all entries that are left; reads every row. */
  public long cost() {
    return costThrough(Long.MAX_VALUE);
  }

  /**
   * Returns the instant of the entry at which the cost of the entries, summed up from the oldest,
   * reaches this many permits; the instant of the newest entry if the sum stays below because
   * entries are lost.
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

  /**
   * Returns the earlier charge of an arrival with this fingerprint, if the charge was after {@code
   * sinceMicros}.
   */
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

  /** Deletes the log's further rows, but not the bucket's own row. */
  public void deletePieces() {
    pieces.deleteAll();
  }
}
