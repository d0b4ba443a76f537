package io.sluice.limiter;

/**
 * Every arrival admitted in the last period, and every one reserved: so no window {@code (t-W, t]}
 * ever holds more than the permits, at any instant t.
 */
final class WindowLog implements KeyState {
  /*
   * A new arrival at t conforms if what is in (t-W, infinity) leaves room for it: reservations in
   * the future count from the moment they are made. For arrivals in order this is exactly "at most N
   * in (t-W, t]"; with reservations ahead it is what keeps the windows that end there whole.
   *
   * One row would be rewritten with every arrival, so a long log is cut up: the newest entries are in
   * the key's own row, full pieces of about 1 KiB in rows beside it that are never written again and
   * deleted when their last entry has left the window. A short log, as most are, is one row.
   */
  private static final int PIECE_BYTES = 1024;

  private final Rule rule;
  private final long window;
  private final long permits;
  private final LogPieces pieces;
  private LogEntries tail = new LogEntries();
  private long clockMicros;
  private long newestMicros;
  private long used;

  /** A log that lives in memory. */
  WindowLog(Rule rule) {
    this(rule, new LogPieces(new HeapRows(), new byte[0]));
  }

  private WindowLog(Rule rule, LogPieces pieces) {
    this.rule = rule;
    this.pieces = pieces;
    window = rule.quota().periodMicros();
    permits = rule.quota().permits();
  }

  static WindowLog load(Rule rule, Rows rows, byte[] row, byte[] value) {
    WindowLog log = new WindowLog(rule, new LogPieces(rows, row));
    if (value == null) return log;
    Fields in = new Fields(value);
    log.newestMicros = in.next();
    log.clockMicros = in.next();
    log.used = in.next();
    long baseMicros = log.newestMicros - in.next();
    log.pieces.read(in);
    log.tail = new LogEntries(baseMicros, value, in.offset());
    return log;
  }

  @Override
  public void save(Rows rows, byte[] row) {
    Fields out = new Fields(8 * 10 + tail.size());
    out.add(newestMicros).add(clockMicros).add(used).add(newestMicros - tail.baseMicros());
    pieces.write(out);
    rows.put(row, out.toArray(tail));
  }

  @Override
  public long clockMicros() {
    return clockMicros;
  }

  /** Forgets what has left the window that ends now. An entry exactly one period old is gone. */
  private void expire(long nowMicros) {
    long cutoff = nowMicros - window;
    if (isEmpty()) return;
    if (newestMicros <= cutoff) {
      pieces.expireAll();
      tail = new LogEntries();
      used = 0;
      return;
    }
    used -= pieces.expire(cutoff);
    if (pieces.isEmpty()) used -= expire(tail, cutoff);
  }

  /** Drops entries up to the cutoff, and says what they cost. */
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

  @Override
  public long conformsAt(long nowMicros, long cost) {
    expire(nowMicros);
    long from = rule.shapes() ? Math.max(nowMicros, newestMicros) : nowMicros;
    long needed = used + cost - permits;
    return needed <= 0 ? from : Math.max(from, freedAt(needed) + window);
  }

  /** The time of the entry with which, counted from the oldest, this many permits are reached. */
  private long freedAt(long needed) {
    long freed = 0;
    for (int i = 0; i < pieces.count(); i++) {
      for (LogEntries.Cursor each = pieces.at(i).cursor(); each.advance(); ) {
        freed += each.cost();
        if (freed >= needed) return each.atMicros();
      }
    }
    for (LogEntries.Cursor each = tail.cursor(); each.advance(); ) {
      freed += each.cost();
      if (freed >= needed) return each.atMicros();
    }
    throw new IllegalStateException(
        "the log of limit " + rule.name() + " holds " + freed + " permits of " + used);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, long eventHash) {
    expire(nowMicros);
    add(nowMicros, atMicros, cost, false, eventHash);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost, long eventHash) {
    expire(nowMicros);
    add(nowMicros, nowMicros, cost, true, eventHash);
  }

  private void add(long nowMicros, long atMicros, long cost, boolean refused, long eventHash) {
    if (atMicros >= newestMicros || isEmpty()) {
      tail.append(newestMicros, atMicros, cost, refused, eventHash);
      newestMicros = atMicros;
    } else if (pieces.isEmpty() || (!tail.isEmpty() && atMicros >= tail.baseMicros())) {
      tail.insert(atMicros, cost, refused, eventHash);
    } else {
      pieces.insert(atMicros, cost, refused, eventHash);
    }
    used += cost;
    clockMicros = Math.max(clockMicros, nowMicros);
    if (rule.countsAttempts()) dropWhatCannotMatter();
    pieces.deleteUsedUp();
    if (tail.size() >= PIECE_BYTES) {
      pieces.add(tail);
      tail = new LogEntries();
    }
  }

  private boolean isEmpty() {
    return tail.isEmpty() && pieces.isEmpty();
  }

  /**
   * Refused attempts are counted without bound, but while newer ones alone exceed the permits, an
   * older one decides nothing: it leaves the window first.
   */
  private void dropWhatCannotMatter() {
    if (used <= permits) return;
    used -= pieces.dropOldest(used - permits);
    if (!pieces.isEmpty()) return;
    LogEntries.Cursor each = tail.cursor();
    while (each.advance() && used - each.cost() > permits) {
      used -= each.cost();
      tail.dropThrough(each);
    }
  }

  @Override
  public long met(long nowMicros, long sinceMicros, long eventHash) {
    if (isEmpty() || newestMicros < sinceMicros) return NOT_MET;
    expire(nowMicros);
    long met = met(tail, sinceMicros, eventHash);
    // Entries are in order of time, so what lies before the event's own time need not be read.
    long bound = tail.isEmpty() ? Long.MAX_VALUE : tail.baseMicros();
    for (int i = pieces.count() - 1; i >= 0 && met == NOT_MET && bound >= sinceMicros; i--) {
      LogEntries piece = pieces.at(i);
      met = met(piece, sinceMicros, eventHash);
      bound = piece.baseMicros();
    }
    return met;
  }

  private static long met(LogEntries entries, long sinceMicros, long eventHash) {
    for (LogEntries.Cursor each = entries.cursor(); each.advance(); ) {
      if (each.is(eventHash) && each.atMicros() >= sinceMicros) return each.met();
    }
    return NOT_MET;
  }

  @Override
  public long remaining(long nowMicros) {
    expire(nowMicros);
    return Math.max(0, permits - used);
  }

  @Override
  public long newAt() {
    return isEmpty() ? 0 : newestMicros + window;
  }

  /** Deletes the rows beside a stored row. */
  static void deletePieces(Rows rows, byte[] row, byte[] value) {
    Fields in = new Fields(value);
    for (int i = 0; i < 4; i++) in.next();
    LogPieces pieces = new LogPieces(rows, row);
    pieces.read(in);
    pieces.deleteAll();
  }

  /** When a stored row is as good as none. */
  static long newAt(byte[] value, long periodMicros) {
    return new Fields(value).next() + periodMicros;
  }
}
