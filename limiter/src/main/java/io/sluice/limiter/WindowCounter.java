package io.sluice.limiter;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.LastAdmitted;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * Bucket state with two counts of permits: of the running period, and of the previous period,
 * weighted by the share of it that the window that ends now still covers.
 */
final class WindowCounter implements KeyState {
  /*
   * Cloudflare's approximation ("How we built rate limiting capable of scaling to millions of
   * domains", 2017). Periods have the length W and are aligned to the epoch; "running" and "last"
   * are the permits used in the running period and in the one before. With a time e elapsed in the
   * running period, the window is estimated to hold last * (W - e) / W + running permits: exact
   * rational arithmetic, compared by cross-multiplying in 128 bits. The estimate assumes that the
   * arrivals of the last period were spread evenly.
   *
   * Worst error, with N permits: a window (t-W, t] spans at most two periods, and the second period
   * admits arrivals only as the weight of the first falls, so the window never holds more than 2N -
   * 1. It holds 2N - 1 if N arrivals come at the very end of one period, and the estimate has
   * decayed by the end of the next period. Conversely, an arrival can be refused although the true
   * window is empty: N arrivals at the very start of a period weigh on the next period, when they
   * have long left the window. Rules for which this matters need the sliding window log.
   */

  /** Properties of {@link Algorithm#SLIDING_WINDOW_COUNTER}. */
  static final AlgorithmTraits TRAITS = new Traits();

  /**
   * Upper bound of a count of permits: refused attempts are unlimited, and counts must stay exact
   * as doubles in Redis.
   */
  private static final long MOST = 1L << 52;

  private final Rule rule;
  private final Rule inForce;
  private final long period;
  private final long permits;
  private long clockMicros;
  private long startMicros;
  private long last;
  private long running;
  private LastAdmitted lastAdmitted = LastAdmitted.none();

  /**
   * Creates a fully reset counter.
   *
   * @param inForce the rule with the numbers in force at the bucket's clock, or at the instant at
   *     which the bucket is judged
   */
  private WindowCounter(Rule rule, Rule inForce) {
    this.rule = rule;
    this.inForce = inForce;
    period = inForce.quota().periodMicros();
    permits = inForce.quota().permits();
  }

  private void read(LongSupplier numbers) {
    startMicros = numbers.getAsLong();
    last = numbers.getAsLong();
    running = numbers.getAsLong();
  }

  static WindowCounter load(Rule rule, byte[] value) {
    StoredFormat.check(value, "a bucket of limit " + rule.name());
    ByteBuffer in = ByteBuffer.wrap(value);
    in.get();
    long clockMicros = in.getLong();
    WindowCounter counter = new WindowCounter(rule, rule.at(clockMicros));
    counter.clockMicros = clockMicros;
    counter.read(in::getLong);
    counter.lastAdmitted = LastAdmitted.read(in);
    return counter;
  }

  @Override
  public void save(Rows rows, byte[] row) {
    ByteBuffer out = ByteBuffer.allocate(1 + 4 * Long.BYTES + lastAdmitted.bytes());
    out.put(StoredFormat.VERSION).putLong(clockMicros).putLong(startMicros);
    lastAdmitted.write(out.putLong(last).putLong(running));
    rows.put(row, out.array());
  }

  @Override
  public long clockMicros() {
    return clockMicros;
  }

  @Override
  public KeyState carriedTo(long nowMicros) {
    if (!rule.schedule().changes(clockMicros, nowMicros)) return this;
    WindowCounter carried = new WindowCounter(rule, rule.at(nowMicros));
    carried.clockMicros = clockMicros;
    if (rule.schedule().beginsAnew(clockMicros, nowMicros)) return carried;
    carried.startMicros = startMicros;
    carried.last = last;
    carried.running = running;
    carried.lastAdmitted = lastAdmitted;
    return carried;
  }

  /**
   * Returns a counter with the two counts as they are at this instant. This counter stays
   * unchanged, because an arrival with an earlier time may still come.
   */
  private WindowCounter rolled(long nowMicros) {
    if (nowMicros - nowMicros % period <= startMicros) return this;
    WindowCounter rolled = new WindowCounter(rule, inForce);
    rolled.startMicros = startMicros;
    rolled.last = last;
    rolled.running = running;
    rolled.rollTo(nowMicros);
    return rolled;
  }

  private void rollTo(long nowMicros) {
    long start = nowMicros - nowMicros % period;
    if (start <= startMicros) return;
    // The two periods begin less than one period apart only after a change of the quota.
    last = start - startMicros <= period ? running : 0;
    running = 0;
    startMicros = start;
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    return rolled(nowMicros).conformsInPeriodAt(nowMicros, cost);
  }

  private long conformsInPeriodAt(long nowMicros, long cost) {
    long elapsed = nowMicros - startMicros;
    long room = permits - running - cost;
    if (room >= 0) {
      if (Exact.productAtMost(last, period - elapsed, room, period)) return nowMicros;
      return startMicros + period - Exact.mulDivFloor(room, period, last);
    }
    // The arrival conforms in the next period, in which the count of the running period is that of
    // the last period, and decays.
    return startMicros + 2 * period - Exact.mulDivFloor(permits - cost, period, running);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    // An arrival that waits for a slot of another limit counts in the period in which it is
    // metered, not in the period of its slot.
    count(nowMicros, cost);
    lastAdmitted = lastAdmitted.with(fingerprint, atMicros);
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    count(nowMicros, cost);
  }

  private void count(long nowMicros, long cost) {
    rollTo(nowMicros);
    running = Math.min(MOST, running + cost);
    clockMicros = Math.max(clockMicros, nowMicros);
  }

  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    return lastAdmitted.prior(fingerprint, rule.schedule().cutoff(inForce, nowMicros));
  }

  @Override
  public long remaining(long nowMicros) {
    return rolled(nowMicros).remainingInPeriod(nowMicros);
  }

  private long remainingInPeriod(long nowMicros) {
    long weighted = Exact.mulDivCeil(last, period - (nowMicros - startMicros), period);
    return Math.max(0, permits - running - weighted);
  }

  @Override
  public long newAt() {
    if (running > 0) return startMicros + 2 * period;
    return last > 0 ? startMicros + period : 0;
  }

  @Override
  public long forgottenAt() {
    // A rule change to another period resets the bucket, so later changes cannot keep its state
    // needed for longer.
    return Math.max(newAt(), lastAdmitted.bytes() == 0 ? 0 : lastAdmitted.latestMicros() + period);
  }

  private static final class Traits extends AlgorithmTraits {
    Traits() {
      super(
          'C',
          new Algorithm.Script("counter", 2, "c2"),
          Ability.COUNTING_ATTEMPTS,
          Ability.COUNTING_PERIODS,
          Ability.APPROXIMATE);
    }

    @Override
    KeyState inMemory(Rule rule) {
      return new WindowCounter(rule, rule.at(0));
    }

    @Override
    KeyState load(Rule rule, Storage storage, byte[] row, byte[] value) {
      return WindowCounter.load(rule, value);
    }

    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      WindowCounter counter = new WindowCounter(rule, rule);
      counter.read(numbers);
      return counter;
    }
  }
}
