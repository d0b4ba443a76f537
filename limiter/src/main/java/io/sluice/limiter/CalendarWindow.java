package io.sluice.limiter;

import static java.lang.Math.max;
import static java.lang.Math.min;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.LastAdmitted;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Bucket state that counts the permits used in the running period (a calendar unit, or a fixed
 * length aligned to the epoch), and the permits reserved in later periods.
 */
final class CalendarWindow implements KeyState {
  /*
   * An arrival at instant t conforms if its cost and the permits charged in the period of t and in
   * later periods are within the quota. So a reserved slot in a later period counts from the moment
   * of its reservation, as in a sliding window log. An arrival that conforms at one instant
   * conforms at every later one, and the arrivals admitted in a period never exceed the quota.
   *
   * The state keeps two counts of permits, each with the end of a period. "far" counts the last
   * period in which anything was charged, "near" counts all earlier periods together, and keeps the
   * latest of their ends. Permits in "near" count until that end, so the bucket may refuse too
   * much, but never admits too much. This occurs only if another limit makes an arrival reserve a
   * slot two periods ahead, and other arrivals do not wait for it. Only a charge computes the end
   * of a period.
   */

  /** Properties of {@link Algorithm#CALENDAR_WINDOW}. */
  static final AlgorithmTraits TRAITS = new Traits();

  /**
   * Upper bound of a count of permits: refused attempts are unlimited, and counts must stay exact
   * as doubles in Redis.
   */
  private static final long MOST = 1L << 51;

  private final Rule rule;
  private final Rule inForce;
  private long clockMicros;
  private long reservedMicros;
  private long nearEnd;
  private long near;
  private long farEnd;
  private long far;
  private LastAdmitted last = LastAdmitted.none();

  /**
   * Creates a fully reset window.
   *
   * @param inForce the rule with the numbers in force at the bucket's clock, or at the instant at
   *     which the bucket is judged
   */
  private CalendarWindow(Rule rule, Rule inForce) {
    this.rule = rule;
    this.inForce = inForce;
  }

  private static CalendarWindow load(Rule rule, byte[] value) {
    StoredFormat.check(value, "a bucket of limit " + rule.name());
    ByteBuffer in = ByteBuffer.wrap(value);
    in.get();
    long clockMicros = in.getLong();
    CalendarWindow window = new CalendarWindow(rule, rule.at(clockMicros));
    window.clockMicros = clockMicros;
    window.reservedMicros = in.getLong();
    window.nearEnd = in.getLong();
    window.near = in.getLong();
    window.farEnd = in.getLong();
    window.far = in.getLong();
    window.last = LastAdmitted.read(in);
    return window;
  }

  @Override
  public void save(Rows rows, byte[] row) {
    ByteBuffer out = ByteBuffer.allocate(1 + 6 * Long.BYTES + last.bytes());
    out.put(StoredFormat.VERSION).putLong(clockMicros).putLong(reservedMicros);
    out.putLong(nearEnd).putLong(near).putLong(farEnd).putLong(far);
    last.write(out);
    rows.put(row, out.array());
  }

  @Override
  public long clockMicros() {
    return clockMicros;
  }

  @Override
  public KeyState carriedTo(long nowMicros) {
    if (!rule.schedule().changes(clockMicros, nowMicros)) return this;
    CalendarWindow carried = new CalendarWindow(rule, rule.at(nowMicros));
    carried.clockMicros = clockMicros;
    carried.reservedMicros = reservedMicros;
    if (rule.schedule().beginsAnew(clockMicros, nowMicros)) return carried;
    carried.nearEnd = nearEnd;
    carried.near = near;
    carried.farEnd = farEnd;
    carried.far = far;
    carried.last = last;
    return carried;
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    long most = inForce.quota().permits() - cost;
    long at = inForce.shapes() ? max(nowMicros, reservedMicros) : nowMicros;
    if (at < nearEnd && near + far > most) at = nearEnd;
    if (at < farEnd && far > most) at = farEnd;
    return at;
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    count(nowMicros, atMicros, cost);
    if (inForce.shapes() && atMicros > nowMicros) reservedMicros = atMicros;
    if (reservedMicros <= nowMicros) reservedMicros = 0;
    last = last.with(fingerprint, atMicros);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    count(nowMicros, nowMicros, cost);
  }

  private void count(long nowMicros, long atMicros, long cost) {
    if (nearEnd <= nowMicros) nearEnd = near = 0;
    if (farEnd <= nowMicros) farEnd = far = 0;
    clockMicros = max(clockMicros, nowMicros);
    long end = inForce.periodEndMicros(atMicros);
    if (end > farEnd) {
      addNear(farEnd, far);
      farEnd = end;
      far = 0;
    }
    if (end == farEnd) far = min(MOST, far + cost);
    else addNear(end, cost);
  }

  private void addNear(long end, long cost) {
    nearEnd = max(nearEnd, end);
    near = min(MOST, near + cost);
  }

  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    return last.prior(fingerprint, rule.schedule().cutoff(inForce, nowMicros));
  }

  @Override
  public long remaining(long nowMicros) {
    long used = (nowMicros < nearEnd ? near : 0) + (nowMicros < farEnd ? far : 0);
    return max(0, inForce.quota().permits() - used);
  }

  @Override
  public long newAt() {
    return farEnd;
  }

  @Override
  public long forgottenAt() {
    // A rule change to another period resets the bucket, so later changes cannot keep its state
    // needed for longer.
    long unused = max(reservedMicros, farEnd);
    if (last.bytes() == 0) return unused;
    return max(unused, last.latestMicros() + inForce.quota().periodMicros());
  }

  private static final class Traits extends AlgorithmTraits {
    Traits() {
      super(
          'K',
          new Algorithm.Script("calendar", 3, "k1"),
          Ability.RESERVING,
          Ability.COUNTING_ATTEMPTS,
          Ability.COUNTING_PERIODS,
          Ability.CALENDAR);
    }

    @Override
    KeyState inMemory(Rule rule) {
      return new CalendarWindow(rule, rule.at(0));
    }

    @Override
    KeyState load(Rule rule, Storage storage, byte[] row, byte[] value) {
      return CalendarWindow.load(rule, value);
    }

    /**
     * Reads two numbers of the Redis script's reply: the permits in use, and the instant at which
     * none is in use any more. The returned window stores the permits as those of a single period.
     */
    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      CalendarWindow window = new CalendarWindow(rule, rule);
      window.far = numbers.getAsLong();
      window.farEnd = numbers.getAsLong();
      return window;
    }
  }
}
