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
 * Bucket state under a rule that admits each key once per period. The limit's Bloom filters hold
 * all of its keys, so a single key has no row and no clock of its own.
 */
final class BloomState implements KeyState {
  /*
   * A generation is a group of Bloom filters that takes the new keys of a quarter of a period. An
   * arrival at instant t is refused if its key is in a generation that ends later than one period
   * before t. So a key is remembered for at least one period and at most 1.25 periods. A new key
   * can be refused by mistake; a remembered key is never admitted.
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
    // The record's fingerprint is written before the filter's bits. So if the bits of an arrival
    // are set, the arrival can also be recognised by its record.
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

  /**
   * Whether this generation of filters must be searched for an arrival at {@code micros} or later.
   */
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
   * Recognises an arrival only if the same record comes again. Another record of the same event is
   * refused, because its key is in the filters.
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

  /** Does nothing, because each charge is written to the filters at once. */
  @Override
  public void save(Rows rows, byte[] row) {}

  /**
   * View of a key's state from the Redis script's reply.
   *
   * @param newAt instant at which the key is fully reset, in epoch microseconds; 0 if the filters
   *     do not contain the key
   * @param hasGrown whether the arrival made the filters grow beyond their capacity
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
