package io.sluice.topology.metrics;

import io.sluice.topology.limit.Limit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The filters that have more keys than they were meant for. Safe for many threads. */
final class FilterCounts {
  private static final Logger LOG = LoggerFactory.getLogger(FilterCounts.class);

  private final Map<String, LongAdder> grown = new ConcurrentHashMap<>();
  private final Consumer<MetricDefinition> readings;

  /**
   * @param limits of which those with filters are counted from the start
   * @param readings is given what there is to read, also later, when another limit is first told of
   */
  FilterCounts(List<Limit> limits, Consumer<MetricDefinition> readings) {
    this.readings = readings;
    for (Limit each : limits) if (each.rule().algorithm().admitsOnce()) of(each.name());
  }

  /** Called once for each quarter of a period and each partition, or for all in Redis. */
  void grown(String limit) {
    of(limit).increment();
    LOG.warn(
        "Limit {}: more keys than bloom.capacity came in a quarter of a period, so filters were"
            + " added. They keep to bloom.error and take more memory; raise bloom.capacity.",
        limit);
  }

  private LongAdder of(String limit) {
    return grown.computeIfAbsent(limit, this::shown);
  }

  private LongAdder shown(String limit) {
    LongAdder count = new LongAdder();
    readings.accept(
        MetricDefinition.counter(
            "filters-beyond-capacity",
            "Quarters of a period in which more keys came than bloom.capacity is for.",
            Map.of("limit", limit),
            count::sum));
    return count;
  }
}
