package io.sluice.rules.settings;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Quota;
import io.sluice.limiter.filter.FilterSize;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit.Exceeded;
import java.time.Duration;
import java.util.Optional;

/**
 * Parser of a limit's settings for Bloom filters. It reports settings that cannot be combined with
 * {@code algorithm=bloom}, and filter settings of a limit with another algorithm.
 */
final class BloomParser {
  private static final String A_QUOTA =
      "a bloom filter admits each key once, so the quota is 1/period, such as 1/30d";
  private static final long LEAST_PERIOD_MICROS = Duration.ofSeconds(1).toNanos() / 1_000;

  private final RawSettings settings;
  private final boolean isBloom;

  /**
   * Creates a parser for one limit.
   *
   * @param settings of this limit
   */
  BloomParser(RawSettings settings, Algorithm algorithm) {
    this.settings = settings;
    isBloom = algorithm.admitsOnce();
  }

  FilterSize size() {
    Optional<Long> capacity = settings.find(LimitSettings.BLOOM_CAPACITY);
    double error = settings.read(LimitSettings.BLOOM_ERROR);
    if (!isBloom) {
      onlyWithBloom(LimitSettings.BLOOM_CAPACITY);
      onlyWithBloom(LimitSettings.BLOOM_ERROR);
      return FilterSize.NONE;
    }
    if (!settings.has(LimitSettings.BLOOM_CAPACITY)) {
      settings.missing(
          LimitSettings.BLOOM_CAPACITY,
          "needed with algorithm=bloom: the number of different keys that are expected in a"
              + " period, such as 10_000_000");
    }
    return capacity.map(pairs -> new FilterSize(pairs, error)).orElse(FilterSize.NONE);
  }

  private void onlyWithBloom(Setting<?> setting) {
    if (settings.has(setting) && settings.sound(LimitSettings.ALGORITHM)) {
      settings.mistake(setting, "only applies with algorithm=bloom");
    }
  }

  /**
   * Returns the quota; if Bloom filters cannot have it, adds a mistake and returns a valid quota.
   */
  Quota quota(Quota quota) {
    if (!isBloom) return quota;
    boolean once = quota.permits() == 1;
    boolean lasting = quota.periodMicros() >= LEAST_PERIOD_MICROS;
    if (once && lasting) return quota;
    if (settings.sound(LimitSettings.QUOTA)) {
      settings.mistake(
          LimitSettings.QUOTA,
          once ? "with algorithm=bloom the period must be at least 1s" : A_QUOTA);
    }
    return new Quota(1, Math.max(LEAST_PERIOD_MICROS, quota.periodMicros()), 1);
  }

  void rejects(Exceeded.Kind exceeded) {
    // LimitParser refuses exceeded=delay with Bloom filters.
    boolean metersAgain = exceeded == Exceeded.Kind.RETRY || exceeded == Exceeded.Kind.QUEUE;
    if (!isBloom || !metersAgain) return;
    settings.mistake(
        LimitSettings.EXCEEDED,
        "with algorithm=bloom only exceeded=reject, not " + Keys.nameOf(exceeded));
  }

  /**
   * Returns the duration of blocks in microseconds; with Bloom filters any other than 0 is a
   * mistake.
   */
  long blockMicros(long blockMicros) {
    if (!isBloom || blockMicros == 0) return blockMicros;
    settings.mistake(LimitSettings.BLOCK, "does not apply with algorithm=bloom");
    return 0;
  }
}
