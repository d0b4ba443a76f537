package io.sluice.limiter;

import static java.lang.Math.max;
import static java.lang.Math.min;

import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.LastAdmitted;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.RegisterCounts;
import io.sluice.limiter.rows.Registers;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import io.sluice.limiter.rows.StoredFormat;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Bucket state that estimates the number of distinct values admitted in the last period, with an
 * error of one or two percent. Its size does not grow with the number of values. The window moves
 * in steps of one sixth of a period, so it covers 1 to 7/6 of a period.
 */
final class DistinctSketch implements KeyState {
  /*
   * Each sixth of a period has a HyperLogLog with 2^14 registers. A value's hash selects one
   * register; the register keeps the largest number of leading zeros in the hashes of its values.
   * The union of several sixths has, in each register, the highest value of these sixths.
   *
   * The estimate of a union needs only the number of its registers with each register value. These
   * counts are kept for each union that can become the window: of the last sixth, of the last two
   * sixths, ..., of all seven sixths. A value that raises a register of the running sixth changes
   * the counts of a union if it exceeds this register in all sixths of the union. When the oldest
   * sixth leaves the window, the next smaller union becomes the window, so registers are never
   * merged.
   *
   * An arrival with several values conforms if the estimate would not exceed the permits with all
   * of them. If the estimate and the number of the values do not exceed the permits together, the
   * estimate with them is not needed; otherwise it is computed with copies of the counts and of the
   * registers. For one value, this means that the estimate is below the permits.
   */

  /** Properties of {@link Algorithm#HYPERLOGLOG}. */
  static final AlgorithmTraits TRAITS = new Traits();

  private static final int AGES = Registers.AGES;
  private static final int ROWS = (1 << RegisterCounts.PRECISION) / Registers.COUNT;

  private final Rule rule;
  private final Rows rows;
  private final byte[] row;
  private Rule inForce;
  private ValueHash value = ValueHash.NONE;
  private List<ValueHash> more = List.of();
  private long clockMicros;
  private long sixth;
  private boolean anew;

  /**
   * Counts of register values, for each union of sixths of a period: index i is the union of the
   * last sixth and the i sixths before it.
   */
  private RegisterCounts[] since = none();

  private LastAdmitted last = LastAdmitted.none();

  private DistinctSketch(Rule rule, Rows rows, byte[] row) {
    this.rule = rule;
    this.rows = rows;
    this.row = row;
    inForce = rule;
  }

  private static RegisterCounts[] none() {
    RegisterCounts[] none = new RegisterCounts[AGES];
    for (int i = 0; i < AGES; i++) none[i] = new RegisterCounts();
    return none;
  }

  private void read(byte[] stored) {
    StoredFormat.check(stored, "a bucket of limit " + rule.name());
    ByteBuffer in = ByteBuffer.wrap(stored, 1, stored.length - 1);
    clockMicros = in.getLong();
    sixth = in.getLong();
    for (int i = 0; i < AGES; i++) since[i] = RegisterCounts.read(in);
    last = LastAdmitted.read(in);
    inForce = rule.at(clockMicros);
  }

  @Override
  public void save(Rows into, byte[] as) {
    int most = 1 + 2 * Long.BYTES + AGES * RegisterCounts.mostBytes() + last.bytes();
    ByteBuffer out = ByteBuffer.allocate(most);
    out.put(StoredFormat.VERSION).putLong(clockMicros).putLong(sixth);
    for (RegisterCounts each : since) each.write(out);
    last.write(out);
    byte[] stored = new byte[out.position()];
    out.flip().get(stored);
    into.put(as, stored);
  }

  @Override
  public void about(ValueHash asked, List<ValueHash> besides) {
    value = asked;
    more = besides;
  }

  @Override
  public long clockMicros() {
    return clockMicros;
  }

  @Override
  public KeyState carriedTo(long nowMicros) {
    inForce = rule.at(nowMicros);
    boolean ofAnotherPeriod = sixth > sixthOf(max(nowMicros, clockMicros));
    if (ofAnotherPeriod || rule.schedule().beginsAnew(clockMicros, nowMicros)) {
      since = none();
      last = LastAdmitted.none();
      sixth = 0;
      anew = true;
    }
    return this;
  }

  private long sixthMicros() {
    return (inForce.quota().periodMicros() + 5) / 6;
  }

  private long sixthOf(long micros) {
    return micros / sixthMicros();
  }

  private long estimate(long nowMicros) {
    long passed = max(0, sixthOf(nowMicros) - sixth);
    return passed >= AGES ? 0 : since[(int) (AGES - 1 - passed)].estimate();
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    long estimate = estimate(nowMicros);
    long permits = inForce.quota().permits();
    boolean room = estimate < permits;
    if (room && !more.isEmpty() && cost > 0 && estimate + 1 + more.size() > permits) {
      room = estimateWithValues(nowMicros) <= permits;
    }
    return room ? nowMicros : (sixthOf(nowMicros) + 1) * sixthMicros();
  }

  @Override
  public int tooManyValues(long cost) {
    int values = 1 + more.size();
    return cost > 0 && values > inForce.quota().permits() ? values : 0;
  }

  /** Returns the estimate after all values of the arrival were added; nothing is changed. */
  private long estimateWithValues(long nowMicros) {
    long running = max(sixth, sixthOf(nowMicros));
    long passed = running - sixth;
    RegisterCounts counts =
        passed >= AGES ? new RegisterCounts() : since[(int) (AGES - 1 - passed)].copy();
    Map<Integer, Registers> pieces = new HashMap<>();
    raise(value, running, counts, pieces);
    for (ValueHash each : more) raise(each, running, counts, pieces);
    return counts.estimate();
  }

  private void raise(
      ValueHash each, long running, RegisterCounts counts, Map<Integer, Registers> pieces) {
    Registers registers =
        pieces.computeIfAbsent(
            piece(each),
            absent -> Registers.read(anew ? null : rows.get(registers(each)), running));
    int place = register(each) % Registers.COUNT;
    int found = found(each);
    int highest = 0;
    for (int age = 0; age < AGES; age++) highest = max(highest, registers.value(age, place));
    if (found <= highest) return;
    counts.change(highest, found);
    registers.set(place, found);
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    if (anew) deletePieces(rows, row);
    anew = false;
    moveTo(max(sixth, sixthOf(nowMicros)));
    if (more.isEmpty()) add(value);
    else addAll();
    clockMicros = max(clockMicros, nowMicros);
    last = last.with(fingerprint, atMicros);
  }

  private void moveTo(long running) {
    int passed = (int) min(AGES, running - sixth);
    RegisterCounts[] moved = none();
    System.arraycopy(since, 0, moved, passed, AGES - passed);
    since = moved;
    sixth = running;
  }

  private static int register(ValueHash value) {
    return (int) (value.high() >>> (Long.SIZE - RegisterCounts.PRECISION));
  }

  private static int piece(ValueHash of) {
    return register(of) / Registers.COUNT;
  }

  private byte[] registers(ValueHash of) {
    return RowKeys.registers(row, piece(of));
  }

  /** Returns the register value that a value of arrivals asks for. */
  private static int found(ValueHash of) {
    long rest = of.high() << RegisterCounts.PRECISION | 1L << (RegisterCounts.PRECISION - 1);
    return Long.numberOfLeadingZeros(rest) + 1;
  }

  private void add(ValueHash each) {
    byte[] name = registers(each);
    Registers registers = Registers.read(rows.get(name), sixth);
    if (raises(each, registers)) rows.put(name, registers.toRow(sixth));
  }

  /** Adds all values of the arrival, and writes each changed row once. */
  private void addAll() {
    Map<Integer, Registers> pieces = new HashMap<>();
    Set<Integer> changed = new TreeSet<>();
    for (int i = -1; i < more.size(); i++) {
      ValueHash each = i < 0 ? value : more.get(i);
      int piece = piece(each);
      Registers registers =
          pieces.computeIfAbsent(piece, absent -> Registers.read(rows.get(registers(each)), sixth));
      if (raises(each, registers)) changed.add(piece);
    }
    for (int piece : changed) {
      rows.put(RowKeys.registers(row, piece), pieces.get(piece).toRow(sixth));
    }
  }

  /** Adds a value to its register and to the counts; returns whether this changes the register. */
  private boolean raises(ValueHash each, Registers registers) {
    int found = found(each);
    int place = register(each) % Registers.COUNT;
    if (registers.value(0, place) >= found) return false;
    int highest = 0;
    for (int age = 0; age < AGES; age++) {
      highest = max(highest, registers.value(age, place));
      if (found > highest) since[age].change(highest, found);
    }
    registers.set(place, found);
    return true;
  }

  @Override
  public void saveAgain(Rows into, byte[] as, long atMicros, Fingerprint fingerprint) {
    into.rewrite(as);
    Set<Integer> pieces = new TreeSet<>(Set.of(piece(value)));
    for (ValueHash each : more) pieces.add(piece(each));
    for (int piece : pieces) into.rewrite(RowKeys.registers(row, piece));
  }

  private static void deletePieces(Rows rows, byte[] row) {
    for (int i = 0; i < ROWS; i++) {
      byte[] name = RowKeys.registers(row, i);
      if (rows.get(name) != null) rows.delete(name);
    }
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    throw new IllegalStateException("refused arrivals are not counted among distinct values");
  }

  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    return last.prior(fingerprint, rule.schedule().cutoff(inForce, nowMicros));
  }

  @Override
  public long remaining(long nowMicros) {
    return max(0, inForce.quota().permits() - estimate(nowMicros));
  }

  @Override
  public long newAt() {
    // After a change to a longer period, the clock is in a sixth with a smaller number than the
    // stored one.
    long running = min(sixth, sixthOf(clockMicros));
    return since[AGES - 1].isEmpty() ? 0 : (running + AGES) * sixthMicros();
  }

  @Override
  public long forgottenAt() {
    // A rule change to another period resets the bucket, so later changes cannot keep its state
    // needed for longer.
    long remembered = last.bytes() == 0 ? 0 : last.latestMicros() + inForce.quota().periodMicros();
    return max(newAt(), remembered);
  }

  private static final class Traits extends AlgorithmTraits {
    Traits() {
      super(
          'H',
          new Algorithm.Script("hyperloglog", 6, "h1"),
          Ability.DISTINCT,
          Ability.COUNTING_PERIODS,
          Ability.APPROXIMATE);
    }

    @Override
    KeyState inMemory(Rule rule) {
      throw new IllegalStateException("a sketch is kept in rows");
    }

    @Override
    KeyState empty(Rule rule, Storage storage, byte[] row) {
      return new DistinctSketch(rule, storage.rows(), row);
    }

    @Override
    KeyState load(Rule rule, Storage storage, byte[] row, byte[] value) {
      DistinctSketch sketch = new DistinctSketch(rule, storage.rows(), row);
      sketch.read(value);
      return sketch;
    }

    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      long estimate = numbers.getAsLong();
      return new WindowLog.Found(max(0, rule.quota().permits() - estimate), numbers.getAsLong());
    }

    @Override
    boolean hasRowsBeside() {
      return true;
    }

    @Override
    void deleteRowsBeside(Rows rows, byte[] row, byte[] value) {
      deletePieces(rows, row);
    }
  }
}
