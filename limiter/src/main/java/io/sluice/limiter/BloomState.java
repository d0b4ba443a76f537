package io.sluice.limiter;

import io.sluice.limiter.filter.FilterKey;
import io.sluice.limiter.filter.FilterSize;
import io.sluice.limiter.filter.Filters;
import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.PriorCharge;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import java.util.function.LongSupplier;

/**
 * State of a key that is admitted once per period, backed by the Bloom filters of its limit. It has
 * no row and no clock of its own.
 */
final class BloomState implements KeyState {
  /*
   * An arrival is judged at its own instant. It is refused if its key is in a generation of filters
   * that ends after that instant less the period. So a key is remembered for one period at least,
   * and for a quarter more at most. A new key can be refused by mistake; a remembered key is never
   * admitted.
   */

  /** Properties of {@link Algorithm#BLOOM}. */
  static final AlgorithmTraits TRAITS = new Traits();

  private final Rule rule;
  private final Storage storage;
  private final byte[] limit;
  private final Filters filters;
  private final FilterKey pair;
  private Rule inForce;
  private long eraMicros;
  private long knownUntil;

  private BloomState(Rule rule, Storage storage, byte[] limit, FilterKey pair) {
    this.rule = rule;
    this.storage = storage;
    this.limit = limit;
    this.pair = pair;
    filters = new Filters(storage.rows(), limit);
    inForce = rule;
  }

  @Override
  public long clockMicros() {
    return 0;
  }

  @Override
  public KeyState carriedTo(long nowMicros) {
    inForce = rule.at(nowMicros);
    eraMicros = rule.schedule().begunAnewAt(nowMicros);
    long cutoff = rule.schedule().cutoff(inForce, nowMicros);
    knownUntil = filters.knownUntil(pair, eraMicros, cutoff);
    return this;
  }

  @Override
  public long conformsAt(long nowMicros, long cost) {
    return knownUntil > 0 ? NEVER_MICROS : nowMicros;
  }

  @Override
  public void charge(long nowMicros, long atMicros, long cost, Fingerprint fingerprint) {
    // Written first, so that an arrival whose bits are set is also known by its record.
    if (storage.conditions().repeats()) storage.recent(limit).add(fingerprint);
    if (!filters.hasBegun(nowMicros, eraMicros)) begin(nowMicros);
    Filters.Growth growth = () -> storage.conditions().grown().accept(rule.name());
    knownUntil = filters.add(pair, nowMicros, eraMicros, growth);
  }

  private void begin(long nowMicros) {
    long earliest = storage.conditions().earliest().applyAsLong(nowMicros);
    filters.keepOnly(each -> isNeeded(rule, each, earliest));
    long period = inForce.quota().periodMicros();
    FilterSize size = rule.filter().part(storage.conditions().parts());
    filters.begin(nowMicros, eraMicros, period, size);
  }

  /** Whether an arrival at this instant or later may have to look into a generation. */
  static boolean isNeeded(Rule rule, Filters.Span of, long micros) {
    Schedule schedule = rule.schedule();
    return schedule.begunAnewAt(micros) <= of.eraMicros()
        && schedule.leavesAt(rule, of.endMicros(), micros) > micros;
  }

  @Override
  public void chargeRefused(long nowMicros, long cost) {
    throw new UnsupportedOperationException("a bloom filter cannot count attempts");
  }

  /**
   * Finds the same record only: another record of an event is refused, because its key is known.
   */
  @Override
  public PriorCharge prior(long nowMicros, Fingerprint fingerprint) {
    boolean again =
        knownUntil > 0
            && storage.conditions().repeats()
            && storage.recent(limit).contains(fingerprint);
    return again ? new PriorCharge.SameRecord(0) : PriorCharge.NONE;
  }

  @Override
  public long remaining(long nowMicros) {
    return knownUntil > 0 ? 0 : 1;
  }

  @Override
  public long newAt() {
    return knownUntil > 0 ? knownUntil + inForce.quota().periodMicros() : 0;
  }

  @Override
  public long forgottenAt() {
    return newAt();
  }

  @Override
  public void saveAgain(Rows rows, byte[] row, long atMicros, Fingerprint fingerprint) {
    filters.rewrite(pair, eraMicros);
    storage.recent(limit).rewrite(fingerprint);
  }

  /** Does nothing: each charge is written to the filters at once. */
  @Override
  public void save(Rows rows, byte[] row) {}

  /**
   * State that the script found; {@code newAt} is the instant at which the key is fully reset, 0 if
   * it is already.
   */
  private record Found(long newAt, boolean hasGrown) implements StateReading {
    @Override
    public long conformsAt(long nowMicros, long cost) {
      return newAt > 0 ? NEVER_MICROS : nowMicros;
    }

    @Override
    public long remaining(long nowMicros) {
      return newAt > 0 ? 0 : 1;
    }
  }

  private static final class Traits extends AlgorithmTraits {
    Traits() {
      super('B', new Algorithm.Script("bloom", 4, "b1"), Ability.ONCE, Ability.APPROXIMATE);
    }

    @Override
    KeyState inMemory(Rule rule) {
      throw new IllegalArgumentException("a filter is one for all keys of a limit: use a RowMeter");
    }

    @Override
    KeyState load(Rule rule, Storage storage, byte[] row, byte[] value) {
      throw new UnsupportedOperationException("a filter has no row of a key");
    }

    @Override
    StoredState stored(Rule rule, Storage storage, String key) {
      byte[] limit = RowKeys.head(rule, "");
      FilterKey pair = EventHash.pair(key);
      return StoredState.unblocked(
          rule, new BloomState(rule, storage, limit, pair), storage, limit);
    }

    @Override
    StateReading found(Rule rule, LongSupplier numbers) {
      return new Found(numbers.getAsLong(), numbers.getAsLong() == 1);
    }
  }
}
