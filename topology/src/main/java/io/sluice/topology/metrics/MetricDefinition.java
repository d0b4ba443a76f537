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
 * Metric whose value is kept elsewhere and read on demand. It has the same value and nearly the
 * same name in each registry: {@code sluice_events_total} for Prometheus is {@code events-total}
 * among Kafka Streams' metrics, in the group {@code sluice-metrics}.
 *
 * @param name lower case, with dashes
 * @param says description for users
 * @param tags labels that tell it from other metrics of the same name
 */
public record MetricDefinition(
    Kind kind, String name, String says, Map<String, String> tags, DoubleSupplier value) {
  static final String GROUP = "sluice-metrics";
  private static final String PREFIX = "sluice.";

  /** Type of a metric: whether its value only grows. */
  enum Kind {
    /** Value that only goes up. */
    COUNTER,
    /** Value that goes up and down. */
    GAUGE
  }

  public static MetricDefinition counter(
      String name, String says, Map<String, String> tags, DoubleSupplier value) {
    return new MetricDefinition(Kind.COUNTER, name, says, tags, value);
  }

  public static MetricDefinition gauge(String name, String says, DoubleSupplier value) {
    return new MetricDefinition(Kind.GAUGE, name, says, Map.of(), value);
  }

  /** Adds the metric to those of Kafka Streams, unless it is there already. */
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

  /** Returns the name in Micrometer, which each of its registries adapts to its own conventions. */
  public static String meterName(String name) {
    return PREFIX + name.replace('-', '.');
  }

  /** Measures the value when it is read, and ignores what is recorded. */
  private record Elsewhere(DoubleSupplier value) implements MeasurableStat {
    @Override
    public double measure(MetricConfig config, long nowMs) {
      return value.getAsDouble();
    }

    @Override
    public void record(MetricConfig config, double recorded, long timeMs) {}
  }
}
