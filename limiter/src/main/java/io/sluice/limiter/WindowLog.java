package io.sluice.limiter;

import io.sluice.limiter.rows.Fields;
import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.HeapRows;
import io.sluice.limiter.rows.LongLog;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Bucket state that keeps every arrival admitted in the last period, and every reserved one. At any
 * instant t, the window {@code (t-W, t]}, where W is the period, never holds more than the quota's
 * permits.
 */
final class WindowLog implements KeyState {
  /*
   * W is the period, and N the permits. A new arrival at t conforms if the entries in (t-W,
   * infinity) leave room for its cost: a reserved slot in the future counts from the moment of its
   * reservation. For arrivals in order of time, this is exactly "at most N in (t-W, t]"; with
   * reservations, the windows that end at reserved slots stay within the quota too.
   *
   * Refused attempts, if the rule counts them, are unlimited. But while newer entries alone exceed
   * the permits, an older entry influences no decision, because it leaves the window first. So the
   * older entry is dropped from the count; if its arrival was admitted, the log remembers the
   * arrival as spent until it leaves the window.
   *
   * A log that stays in memory drops expired entries only when it is charged, because after an
   * arrival that is not charged, an arrival with an earlier time may come.
   */

  /** Properties of {@link Algorithm#SLIDING_WINDOW_LOG}. */
  static final AlgorithmTraits TRAITS = new Traits();

  private final Rule rule;
  private final boolean stays;
  private final LongLog counted;
  private final LongLog spent;
  private Rule inForce;
  private long clockMicros;
  private long used;

  /** Cutoff at the last judged instant: entries up to it have left the window. */
  private long judgedCutoff = Long.MIN_VALUE;

  private boolean beginsAnew;

  /** Creates an empty log that stays in memory and is never stored. */
  WindowLog(Rule rule) {
    this(rule, new Storage(new HeapRows()), new byte[0], true);
  }

  WindowLog(Rule rule, Storage storage, byte[] row) {
    this(rule, storage, row, false);
  }

  private WindowLog(Rule rule, Storage storage, byte[] row, boolean stays) {
    this.rule = rule;
    this.stays = stays;
    inForce = rule;
    counted = new LongLog(storage, row, RowKeys.PIECE);
    spent = new LongLog(storage, row, RowKeys.SPENT_PIECE);
  }

  private void read(byte[] value) {
    StoredFormat.check(value, "a bucket of limit " + rule.name());
    Fields in = new Fields(value);
    in.next();
    clockMicros = in.next();
    used = in.next();
    counted.read(in);
    if (!in.isAtEnd()) spent.read(in);
  }

  @Override
  public void save(Rows rows, byte[] row) {
    Fields out = new Fields(3 * 10 + counted.mostBytes() + spent.mostBytes());
    out.add(StoredFormat.VERSION).add(clockMicros).add(used);
    counted.write(out);
    if (!spent.isEmpty()) spent.write(out);
    rows.put(row, out.toArray());
  }

  @Override
  public void saveAgain(Rows rows, byte[] row, long atMicros, Fingerprint fingerprint) {
    rows.rewrite(row);
    counted.rewrite(atMicros, rule.shapes());
    spent.rewrite(atMicros, false);
  }

  @Override
  public long clockMicros() {
    return clockMicros;
  }

  @Override
  public KeyState carriedTo(long nowMicros) {
    inForce = rule.at(nowMicros);
    judgedCutoff = cutoff(nowMicros);
    beginsAnew = rule.schedule().beginsAnew(clockMicros, nowMicros);
    if (beginsAnew && !stays) beginAnew();
    return this;
  }

  /** Resets the log, except for its latest reserved slot. */
  private void beginAnew() {
    counted.forgetAll();
    spent.forgetAll();
    used = 0;
    beginsAnew = false;
  }

  private long cutoff(long nowMicros) {
    return rule.schedule().cutoff(inForce, nowMicros);
  }

  /**
   * Drops the entries that have left the window that ends now. An entry exactly one period old has
   * left the window.
   */
  private void expire(long nowMicros) {
    long cutoff = cutoff(nowMicros);
    if (!spent.isEmpty()) spent.expire(cutoff);
    if (counted.isEmpty()) return;
    if (counted.newestMicros() > cutoff) {
      used -= counted.expire(cutoff);
    } else {
      counted.expireAll();
      used = 0;
    }
    if (counted.isTorn()) used = counted.cost();
  }

  /**
   * Returns the permits of the entries that have left the window that ends now, but are not dropped
   * yet.
   */
  private long gone(long nowMicros) {
    if (!stays) {
      expire(nowMicros);
      return 0;
    }
    long cutoff = cutoff(nowMicros);
    if (beginsAnew || counted.newestMicros() <= cutoff) return used;
    return counted.costThrough(cutoff);
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    long gone = gone(nowMicros);
    long from = inForce.shapes() ? Math.max(nowMicros, counted.newestMicros()) : nowMicros;
    long needed = used - gone + cost - inForce.quota().permits();
    if (needed <= 0) return from;
    long reached = counted.reachedAt(gone + needed);
    long counts = counted.isTorn() ? counted.cost() : used;
    if (counts == used) return Math.max(from, reached + inForce.quota().periodMicros());
    used = counts;
    return conformsAt(nowMicros, cost);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    add(nowMicros, atMicros, cost, false, fingerprint);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    add(nowMicros, nowMicros, cost, true, Fingerprint.NONE);
  }

  private void add(
      long nowMicros, long atMicros, long cost, boolean refused, Fingerprint fingerprint) {
    if (beginsAnew) beginAnew();
    expire(nowMicros);
    counted.add(atMicros, cost, refused, fingerprint);
    used += cost;
    clockMicros = Math.max(clockMicros, nowMicros);
    if (rule.countsAttempts()) dropWhatCannotMatter(nowMicros);
    if (counted.isTorn()) used = counted.cost();
    counted.tidy(cutoff(clockMicros));
    spent.tidy(cutoff(clockMicros));
  }

  /**
   * Drops the oldest entries that influence no decision, because newer entries exceed the permits.
   * The bound is the largest number of permits in force within the window, because lowered permits
   * may be raised again.
   */
  private void dropWhatCannotMatter(long nowMicros) {
    long excess = used - rule.schedule().mostPermits(rule, cutoff(nowMicros), nowMicros);
    if (excess > 0) used -= counted.dropOldest(excess, this::remember);
  }

  private void remember(Fingerprint dropped, long atMicros) {
    if (!dropped.isNone()) spent.add(atMicros, 1, false, dropped);
  }

  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    if (fingerprint.isNone() || beginsAnew) return PriorCharge.NONE;
    long cutoff = cutoff(nowMicros);
    PriorCharge prior = counted.isEmpty() ? PriorCharge.NONE : counted.prior(fingerprint, cutoff);
    return spent.isEmpty() ? prior : PriorCharge.stronger(prior, spent.prior(fingerprint, cutoff));
  }

  @Override
  public long remaining(long nowMicros) {
    long gone = gone(nowMicros);
    return Math.max(0, inForce.quota().permits() - (used - gone));
  }

  @Override
  public long newAt() {
    boolean none = beginsAnew || counted.isEmpty() || counted.newestMicros() <= judgedCutoff;
    return none ? 0 : counted.newestMicros() + inForce.quota().periodMicros();
  }

  @Override
  public long forgottenAt() {
    // Spent entries, which only serve to recognise arrivals, are older than the counted entries.
    if (counted.isEmpty()) return 0;
    return rule.schedule().leavesAt(rule, counted.newestMicros(), clockMicros);
  }

  private static final class Traits extends AlgorithmTraits {
    Traits() {
      super(
          'L',
          new Algorithm.Script("log", 1, "l2"),
          Ability.RESERVING,
          Ability.COUNTING_ATTEMPTS,
          Ability.KEEPING_ARRIVALS);
    }

    @Override
    KeyState inMemory(Rule rule) {
      return new WindowLog(rule);
    }

    @Override
    KeyState empty(Rule rule, Storage storage, byte[] row) {
      return new WindowLog(rule, storage, row);
    }

    @Override
    KeyState load(Rule rule, Storage storage, byte[] row, byte[] value) {
      WindowLog log = new WindowLog(rule, storage, row);
      log.read(value);
      return log;
    }

    @Override
    Optional<ShortWay> shortWay(Rows rows) {
      return Optional.of(new WindowLogFastPath(rows));
    }

    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      long used = numbers.getAsLong();
      return new Found(Math.max(0, rule.quota().permits() - used), numbers.getAsLong());
    }

    @Override
    void deleteRowsBeside(Rows rows, byte[] row, byte[] value) {
      StoredFormat.check(value, "a bucket");
      Storage storage = new Storage(rows);
      Fields in = new Fields(value);
      for (int i = 0; i < 3; i++) in.next();
      for (byte kind : new byte[] {RowKeys.PIECE, RowKeys.SPENT_PIECE}) {
        if (in.isAtEnd()) return;
        LongLog log = new LongLog(storage, row, kind);
        log.read(in);
        log.deletePieces();
      }
    }
  }

  /** View of a bucket in Redis of which only the remaining permits and the reset time are known. */
  record Found(long permitsLeft, long newAt) implements StateReading {
    @Override
    public long conformsAt(long nowMicros, long cost) {
      throw new IllegalStateException("only the log itself says when an arrival conforms");
    }

    @Override
    public long remaining(long nowMicros) {
      return permitsLeft;
    }
  }
}
