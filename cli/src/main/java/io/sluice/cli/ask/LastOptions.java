package io.sluice.cli.ask;

import io.sluice.limiter.Quota;
import io.sluice.rules.event.Field;
import io.sluice.runtime.cluster.PastRecords.RecordKey;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Command-line options of {@code ask} for the last events of a key. */
final class LastOptions {
  private static final int MOST = 10_000;

  /** Value of {@code --last} without a period, which is possible with {@code --record}. */
  static final String NO_PERIOD = "(none)";

  @Option(
      names = "--last",
      paramLabel = "PERIOD",
      arity = "0..1",
      fallbackValue = NO_PERIOD,
      description =
          "Also show the events of this last period, such as 1h, with their verdicts. They are read"
              + " from the topics, so --config is required.")
  private String last = "";

  @Option(
      names = "--most",
      paramLabel = "N",
      description = "Show at most the newest N of these events. By default ${DEFAULT-VALUE}.")
  private int most = 50;

  @Option(
      names = "--keyed",
      description =
          "Read only one partition of each topic, because producers use the value of --for as the"
              + " record key.")
  private boolean keyed;

  /**
   * Returns the search for the key's last events; empty without {@code --last}.
   *
   * @throws IllegalArgumentException if the options contradict each other or are invalid
   */
  Optional<LastEvents> of(Optional<SluiceConfig> config, Map<String, String> key, Instant now) {
    if (last.isEmpty()) {
      if (keyed) throw new IllegalArgumentException("--keyed only applies with --last");
      return Optional.empty();
    }
    if (last.equals(NO_PERIOD)) {
      throw new IllegalArgumentException("--last needs a period, such as 1h, or --record");
    }
    if (config.isEmpty()) {
      throw new IllegalArgumentException(
          "--last reads the topics: it needs --config, the application's properties file");
    }
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException("--most is a number from 1 to " + MOST + ": " + most);
    }
    Wanted wanted = Wanted.of(config.get(), key);
    return Optional.of(
        new LastEvents(config.get(), wanted, since(now), most, recordKey(config.get(), key)));
  }

  private Optional<RecordKey> recordKey(SluiceConfig config, Map<String, String> key) {
    if (!keyed) return Optional.empty();
    if (key.size() != 1) {
      throw new IllegalArgumentException(
          "--keyed needs exactly one --for, whose value is the record key");
    }
    for (Object each : config.streams().keySet()) {
      if (each.toString().contains("partitioner.")) {
        throw new IllegalArgumentException(
            "--keyed only applies with Kafka's default partitioner, but " + each + " is set");
      }
    }
    // The producer's key has no function of a selector applied to it.
    return key.entrySet().stream()
        .map(each -> new RecordKey(Field.parse(each.getKey()), each.getValue()))
        .findFirst();
  }

  private Instant since(Instant now) {
    Duration period = period();
    Duration most = Duration.between(Instant.EPOCH, now);
    return period.compareTo(most) < 0 ? now.minus(period) : Instant.EPOCH;
  }

  /** Whether {@code --last} is absent, or stands without a period. */
  boolean hasNoPeriod() {
    return last.isEmpty() || last.equals(NO_PERIOD);
  }

  private Duration period() {
    try {
      Duration period = Quota.parsePeriod(last);
      if (!period.isNegative() && !period.isZero()) return period;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--last: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException("--last: a period must be longer than 0: " + last);
  }
}
