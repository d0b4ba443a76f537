package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Bucket state that keeps every distinct value admitted in the last period. At any instant t, the
 * window {@code (t-W, t]}, where W is the period, has admitted at most as many new values as the
 * quota has permits.
 */
final class DistinctLog implements KeyState {
  /*
   * W is the period. An arrival at t whose value has an entry in (t-W, infinity) conforms and
   * charges nothing. Any other arrival needs one permit, for any cost above 0, and conforms if the
   * entries in (t-W, infinity) leave a permit for it.
   *
   * Each value has one entry, which is not renewed when the value comes again. If another limit
   * gives an arrival a slot at which the entry of its value will have left the window, the entry is
   * moved to the slot, and the arrival is charged. Until the slot, the moved entry uses one permit.
   */

  /** Properties of {@link Algorithm#DISTINCT_LOG}. */
  static final AlgorithmTraits TRAITS = new Traits();

  /**
   * Size of an entry in bytes: the instant, the value's hash, and the identity of the event that
   * brought the value. Entries are sorted by instant, the oldest first.
   */
  private static final int ENTRY_BYTES = Long.BYTES + ValueHash.BYTES + Long.BYTES + Integer.BYTES;

  private static final int EVENT = Long.BYTES + ValueHash.BYTES;
  private static final int HEAD_BYTES = 1 + Long.BYTES;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Rule rule;
  private Rule inForce;
  private ValueHash value = ValueHash.NONE;
  private ByteBuffer entries = NOTHING;
  private long clockMicros;

  DistinctLog(Rule rule) {
    this.rule = rule;
    inForce = rule;
  }

  private static DistinctLog load(Rule rule, byte[] row) {
    StoredFormat.check(row, "a bucket of limit " + rule.name());
    DistinctLog log = new DistinctLog(rule);
    log.clockMicros = ByteBuffer.wrap(row).getLong(1);
    log.entries = ByteBuffer.wrap(row, HEAD_BYTES, row.length - HEAD_BYTES).slice();
    return log;
  }

  @Override
  public void save(Rows rows, byte[] row) {
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + entries.limit());
    out.put(StoredFormat.VERSION).putLong(clockMicros).put(entries.duplicate());
    rows.put(row, out.array());
  }

  @Override
  public void about(ValueHash asked) {
    value = asked;
  }

  @Override
  public long clockMicros() {
    return clockMicros;
  }

  /**
   * Drops the entries that have left the window that ends now, or all entries after a reset. An
   * entry exactly one period old has left the window.
   */
  @Override
  public KeyState carriedTo(long nowMicros) {
    inForce = rule.at(nowMicros);
    boolean anew = rule.schedule().beginsAnew(clockMicros, nowMicros);
    int gone = anew ? count() : firstAfter(rule.schedule().cutoff(inForce, nowMicros));
    entries = part(gone, count());
    return this;
  }

  private int count() {
    return entries.limit() / ENTRY_BYTES;
  }

  private ByteBuffer part(int from, int to) {
    return entries.slice(from * ENTRY_BYTES, (to - from) * ENTRY_BYTES);
  }

  private long atMicros(int i) {
    return entries.getLong(i * ENTRY_BYTES);
  }

  private int firstAfter(long micros) {
    int from = 0;
    int to = count();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (atMicros(middle) <= micros) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /**
   * Returns the index of the entry of the current arrival's value; the number of entries if the
   * value has no entry.
   */
  private int find() {
    int i = 0;
    while (i < count() && !isOfValue(i)) i++;
    return i;
  }

  private boolean isOfValue(int i) {
    int at = i * ENTRY_BYTES + Long.BYTES;
    return entries.getLong(at) == value.high() && entries.getLong(at + Long.BYTES) == value.low();
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    if (find() < count()) return nowMicros;
    long needed = count() + Math.min(cost, 1) - inForce.quota().permits();
    return needed <= 0 ? nowMicros : atMicros((int) needed - 1) + inForce.quota().periodMicros();
  }

  @Override
  public boolean isChargedBy(long atMicros, long cost) {
    int known = find();
    boolean holds = known < count() && atMicros(known) > atMicros - inForce.quota().periodMicros();
    return cost > 0 && !holds;
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    int known = find();
    ByteBuffer others = ByteBuffer.allocate(entries.limit() + ENTRY_BYTES);
    others.put(part(0, known));
    if (known < count()) others.put(part(known + 1, count()));
    entries = others.flip().slice();
    int place = firstAfter(atMicros);
    ByteBuffer all = ByteBuffer.allocate(entries.limit() + ENTRY_BYTES).put(part(0, place));
    all.putLong(atMicros).putLong(value.high()).putLong(value.low());
    all.putLong(fingerprint.event()).putInt(fingerprint.record());
    entries = all.put(part(place, count())).flip();
    clockMicros = Math.max(clockMicros, nowMicros);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    throw new IllegalStateException("refused arrivals are not counted among distinct values");
  }

  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    PriorCharge prior = PriorCharge.NONE;
    if (fingerprint.isNone()) return prior;
    for (int i = 0; i < count(); i++) {
      int at = i * ENTRY_BYTES + EVENT;
      if (entries.getLong(at) != fingerprint.event()) continue;
      boolean same = entries.getInt(at + Long.BYTES) == fingerprint.record();
      prior = PriorCharge.stronger(prior, PriorCharge.of(same, atMicros(i)));
    }
    return prior;
  }

  @Override
  public long remaining(long nowMicros) {
    return Math.max(0, inForce.quota().permits() - count());
  }

  @Override
  public long newAt() {
    return count() == 0 ? 0 : atMicros(count() - 1) + inForce.quota().periodMicros();
  }

  @Override
  public long forgottenAt() {
    if (count() == 0) return 0;
    return rule.schedule().leavesAt(rule, atMicros(count() - 1), clockMicros);
  }

  private static final class Traits extends AlgorithmTraits {
    Traits() {
      super('D', new Algorithm.Script("distinct", 5, "d1"), Ability.DISTINCT);
    }

    @Override
    KeyState inMemory(Rule rule) {
      return new DistinctLog(rule);
    }

    @Override
    KeyState load(Rule rule, Storage storage, byte[] row, byte[] value) {
      return DistinctLog.load(rule, value);
    }

    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      long used = numbers.getAsLong();
      return new WindowLog.Found(Math.max(0, rule.quota().permits() - used), numbers.getAsLong());
    }
  }
}
