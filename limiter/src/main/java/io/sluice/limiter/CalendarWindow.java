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

/** The permits used in the running period of a calendar, and those reserved in later ones. */
final class CalendarWindow implements KeyState {
  /*
   * A new arrival at t conforms if what was charged in its period and in later ones leaves room for
   * it: what is reserved ahead counts from the moment it is made, as in a log. So whoever conforms
   * at an instant conforms at any later one, and no period ever holds more than the permits.
   *
   * Counts are kept of two periods, by their ends: the last one in which anything was charged, and
   * the one before it. What is older counts in that one, too, which may refuse a little too much,
   * and never too little; it takes reservations two periods ahead and arrivals that need not wait
   * for those, because another limit made them. The ends are all that is asked of the calendar, and
   * only by what is charged.
   */

  /** What sets it apart. */
  static final AlgorithmTraits TRAITS = new Traits();

  /** So that attempts, which are counted without bound, stay exact in Redis' doubles as well. */
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
   * A window as good as new.
   *
   * @param inForce the rule as it is at the bucket's clock, or when it is judged
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
  public long forgottenAt() { // with another period it begins anew, so there is no more to keep
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

    /** From what is used now, and when nothing is: it is the same as if all were of one period. */
    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      CalendarWindow window = new CalendarWindow(rule, rule);
      window.far = numbers.getAsLong();
      window.farEnd = numbers.getAsLong();
      return window;
    }
  }
}
