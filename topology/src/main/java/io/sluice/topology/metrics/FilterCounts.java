package io.sluice.topology.metrics;

import io.sluice.rules.limit.Limit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the Bloom filters that got more keys than their configured capacity, by limit. Safe for
 * many threads.
 */
final class FilterCounts {
  private static final Logger LOG = LoggerFactory.getLogger(FilterCounts.class);

  private final Map<String, AtomicLong> grown = new ConcurrentHashMap<>();
  private final Consumer<MetricDefinition> readings;

  /**
   * @param limits limits at the start; each of them that uses Bloom filters has a metric from the
   *     start
   * @param readings receives the metric of each limit; for a further limit when its first filter is
   *     counted
   */
  FilterCounts(List<Limit> limits, Consumer<MetricDefinition> readings) {
    this.readings = readings;
    for (Limit each : limits) if (each.rule().algorithm().admitsOnce()) of(each.name());
  }

  /**
   * Counts a Bloom filter that has grown beyond its capacity. A limit has a filter for each quarter
   * of its period: one for each partition, or in Redis one for all partitions. Only the first,
   * second, fourth, eighth and so on of a limit is logged, since a quarter may last milliseconds.
   */
  void grown(String limit) {
    if (Long.bitCount(of(limit).incrementAndGet()) > 1) return;
    LOG.warn(
        "Limit {}: more keys than bloom.capacity came in a quarter of a period, so filters were"
            + " added. They keep bloom.error and need more memory; raise bloom.capacity.",
        limit);
  }

  private AtomicLong of(String limit) {
    return grown.computeIfAbsent(limit, this::shown);
  }

  private AtomicLong shown(String limit) {
    AtomicLong count = new AtomicLong();
    readings.accept(
        MetricDefinition.counter(
            "filters-beyond-capacity",
            "Quarters of a period with more keys than bloom.capacity allows for.",
            Map.of("limit", limit),
            count::get));
    return count;
  }
}
