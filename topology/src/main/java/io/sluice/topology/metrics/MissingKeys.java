package io.sluice.topology.metrics;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.OptionalKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the events that match a limit and lack a field by which it counts, by limit, and logs them
 * at most once a minute. Safe for many threads.
 */
public final class MissingKeys {
  private static final Logger LOG = LoggerFactory.getLogger(MissingKeys.class);
  private static final long LOGGED_EVERY_MS = 60_000;

  private final Map<String, Row> rows = new ConcurrentHashMap<>();
  private final Consumer<MetricDefinition> readings;

  /**
   * Number of events that lacked a field of a limit's key.
   *
   * @param events number of events that matched the limit, with and without the field
   */
  public record KeyShare(String limit, long missing, long events) {}

  private static final class Row {
    private final LongAdder events = new LongAdder();
    private final LongAdder missing = new LongAdder();
    private final AtomicLong nextLogMs = new AtomicLong(Long.MIN_VALUE);

    /** Returns whether a line may be logged now; then not before another minute has passed. */
    boolean logs(long nowMs) {
      long nextMs = nextLogMs.get();
      return nowMs >= nextMs && nextLogMs.compareAndSet(nextMs, nowMs + LOGGED_EVERY_MS);
    }
  }

  /**
   * @param limits limits at the start; each of them that has an optional key has a metric from the
   *     start
   * @param readings receives the metric of each limit; of a further limit when it first counts
   */
  MissingKeys(List<OptionalKey> limits, Consumer<MetricDefinition> readings) {
    this.readings = readings;
    for (OptionalKey each : limits) row(each.limit().name());
  }

  /** Counts an event that matches a limit. */
  public void count(Limit limit, boolean lacksKey, long wallMs) {
    Row row = row(limit.name());
    row.events.increment();
    if (!lacksKey) return;
    row.missing.increment();
    if (row.logs(wallMs)) log(limit, row.missing.sum());
  }

  private static void log(Limit limit, long missing) {
    String name = limit.name();
    String fields = limit.optionalFields().stream().map(Field::toString).collect(joining(" or "));
    LOG.warn(
        "Limit {}: {} events since the start lack {}, by which it counts: {}"
            + " (sluice.limit.{}.key.missing={})",
        name,
        missing,
        fields,
        treatment(limit),
        name,
        Keys.nameOf(limit.keyMissing()));
  }

  private static String treatment(Limit limit) {
    boolean shadow = limit.rule().shadow();
    return switch (limit.keyMissing()) {
      case SKIP -> "it does not apply to them";
      case SHARE -> "they share one count";
      case REJECT -> shadow ? "it would reject them" : "they are rejected";
    };
  }

  /** Returns the counts of the limits whose events have lacked a field, sorted by name. */
  public List<KeyShare> shares() {
    return rows.entrySet().stream()
        .filter(each -> each.getValue().missing.sum() > 0)
        .sorted(Map.Entry.comparingByKey())
        .map(MissingKeys::share)
        .toList();
  }

  private static KeyShare share(Map.Entry<String, Row> row) {
    return new KeyShare(row.getKey(), row.getValue().missing.sum(), row.getValue().events.sum());
  }

  private Row row(String limit) {
    Row row = rows.get(limit);
    return row == null ? rows.computeIfAbsent(limit, this::shown) : row;
  }

  private Row shown(String limit) {
    Row row = new Row();
    readings.accept(
        MetricDefinition.counter(
            "key-missing",
            "Events that match the limit and lack a field by which it counts.",
            Map.of("limit", limit),
            row.missing::sum));
    return row;
  }
}
