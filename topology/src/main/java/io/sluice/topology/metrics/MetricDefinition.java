package io.sluice.topology.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Sensor;

/**
 * Metric whose value is read from a supplier on demand. It has the same value and nearly the same
 * name in each registry: {@code sluice_events_total} for Prometheus is {@code events-total} among
 * Kafka Streams' metrics, in the group {@code sluice-metrics}.
 *
 * @param name name in lower case, with dashes, without prefix and suffix
 * @param says description for users
 * @param tags labels that distinguish this metric from other metrics of the same name
 */
public record MetricDefinition(
    Kind kind, String name, String says, Map<String, String> tags, DoubleSupplier value) {
  static final String GROUP = "sluice-metrics";
  private static final String PREFIX = "sluice.";

  /** Type of a metric: counter or gauge. */
  enum Kind {
    /** Metric whose value only grows. */
    COUNTER,
    /** Metric whose value can grow and shrink. */
    GAUGE
  }

  public static MetricDefinition counter(
      String name, String says, Map<String, String> tags, DoubleSupplier value) {
    return new MetricDefinition(Kind.COUNTER, name, says, tags, value);
  }

  public static MetricDefinition gauge(String name, String says, DoubleSupplier value) {
    return new MetricDefinition(Kind.GAUGE, name, says, Map.of(), value);
  }

  /** Adds the metric to Kafka Streams' metrics, unless it has been added already. */
  void addTo(Sensor sensor) {
    String suffix = kind == Kind.COUNTER ? "-total" : "";
    sensor.add(new MetricName(name + suffix, GROUP, says, tags), new Elsewhere(value));
  }

  public void bindTo(MeterRegistry registry) {
    String meter = meterName(name);
    List<Tag> labels =
        tags.entrySet().stream().map(tag -> Tag.of(tag.getKey(), tag.getValue())).toList();
    if (kind == Kind.COUNTER) {
      FunctionCounter.builder(meter, value, DoubleSupplier::getAsDouble)
          .description(says)
          .tags(labels)
          .register(registry);
    } else {
      Gauge.builder(meter, value, DoubleSupplier::getAsDouble)
          .description(says)
          .tags(labels)
          .register(registry);
    }
  }

  /**
   * Returns a metric's name in Micrometer: with the prefix {@code sluice.}, and dots instead of
   * dashes. Each Micrometer registry adapts it to its own conventions.
   */
  public static String meterName(String name) {
    return PREFIX + name.replace('-', '.');
  }

  /** Kafka statistic that gets its value from a supplier, and ignores recorded values. */
  private record Elsewhere(DoubleSupplier value) implements MeasurableStat {
    @Override
    public double measure(MetricConfig config, long nowMs) {
      return value.getAsDouble();
    }

    @Override
    public void record(MetricConfig config, double recorded, long timeMs) {}
  }
}
