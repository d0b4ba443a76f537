package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
   * An arrival can have several values. Those with an entry charge nothing; the others need one
   * permit each, and the arrival conforms if the window can hold all of its values at once. With
   * `others` for the entries of other values: if others + values <= permits, or if each of its
   * values has an entry. Others only leave, so the wait ends when enough of them have left, and
   * more values than permits never conform.
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

  /** Values of the arrival beside the first one, as a set; empty for most arrivals. */
  private Set<ValueHash> more = Set.of();

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
  public void about(ValueHash asked, List<ValueHash> besides) {
    value = asked;
    more = besides.isEmpty() ? Set.of() : new LinkedHashSet<>(besides);
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

  private int values() {
    return 1 + more.size();
  }

  /**
   * Returns the index of the first entry, at or after {@code from}, of a value of the current
   * arrival; the number of entries if there is none.
   */
  private int find(int from) {
    int i = from;
    while (i < count() && !isOfArrival(i)) i++;
    return i;
  }

  private boolean isOfArrival(int i) {
    int at = i * ENTRY_BYTES + Long.BYTES;
    long high = entries.getLong(at);
    long low = entries.getLong(at + Long.BYTES);
    if (high == value.high() && low == value.low()) return true;
    return !more.isEmpty() && more.contains(new ValueHash(high, low));
  }

  private ValueHash valueAt(int i) {
    int at = i * ENTRY_BYTES + Long.BYTES;
    return new ValueHash(entries.getLong(at), entries.getLong(at + Long.BYTES));
  }

  /** Returns the number of the arrival's values with an entry later than an instant. */
  private int knownAfter(long micros) {
    int known = 0;
    int most = values();
    for (int i = find(0); i < count(); i = find(i + 1)) {
      if (atMicros(i) > micros && ++known == most) break;
    }
    return known;
  }

  @Override
  public int tooManyValues(long cost) {
    boolean many = cost > 0 && values() > inForce.quota().permits();
    return many && knownAfter(Long.MIN_VALUE) < values() ? values() : 0;
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    int known = knownAfter(Long.MIN_VALUE);
    if (known == values()) return nowMicros;
    long needed = count() - known + values() * Math.min(cost, 1) - inForce.quota().permits();
    return needed <= 0 ? nowMicros : otherAt(needed) + inForce.quota().periodMicros();
  }

  /** Returns the instant of the n-th entry of those with another value than the arrival's. */
  private long otherAt(long n) {
    if (more.isEmpty()) return atMicros((int) n - 1); // the entries do not have the one value
    int i = -1;
    for (long left = n; left > 0; ) if (!isOfArrival(++i)) left--;
    return atMicros(i);
  }

  @Override
  public boolean isChargedBy(long atMicros, long cost) {
    return cost > 0 && knownAfter(atMicros - inForce.quota().periodMicros()) < values();
  }

  /** Adds the values without an entry in the window that ends at the slot. */
  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    Set<ValueHash> added = more.isEmpty() ? more : new LinkedHashSet<>(more);
    boolean addsFirst = dropExpired(atMicros - inForce.quota().periodMicros(), added);
    int place = firstAfter(atMicros);
    int bytes = entries.limit() + (added.size() + (addsFirst ? 1 : 0)) * ENTRY_BYTES;
    ByteBuffer all = ByteBuffer.allocate(bytes).put(part(0, place));
    if (addsFirst) putEntry(all, atMicros, value, fingerprint);
    for (ValueHash each : added) putEntry(all, atMicros, each, fingerprint);
    entries = all.put(part(place, count())).flip();
    clockMicros = Math.max(clockMicros, nowMicros);
  }

  /**
   * Drops the entries of the arrival's values that have left the window.
   *
   * @param cutoff instant in epoch microseconds after which an entry is in the window
   * @param added values beside the first one; those with an entry in the window are removed
   * @return whether the first value has no entry in the window
   */
  private boolean dropExpired(long cutoff, Set<ValueHash> added) {
    boolean addsFirst = true;
    boolean expired = false;
    for (int i = find(0); i < count(); i = find(i + 1)) {
      ValueHash known = valueAt(i);
      if (atMicros(i) <= cutoff) expired = true;
      else if (known.equals(value)) addsFirst = false;
      else added.remove(known);
    }
    if (expired) drop(cutoff);
    return addsFirst;
  }

  private void drop(long cutoff) {
    ByteBuffer kept = ByteBuffer.allocate(entries.limit());
    for (int i = 0; i < count(); i++) {
      if (atMicros(i) > cutoff || !isOfArrival(i)) kept.put(part(i, i + 1));
    }
    entries = kept.flip().slice();
  }

  private static void putEntry(
      ByteBuffer all, long atMicros, ValueHash value, Fingerprint fingerprint) {
    all.putLong(atMicros).putLong(value.high()).putLong(value.low());
    all.putLong(fingerprint.event()).putInt(fingerprint.record());
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
