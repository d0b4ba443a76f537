package io.sluice.topology;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;

/**
 * How an instance fares with Redis, among the metrics of its Kafka Streams. Safe for many threads.
 */
final class RedisMetrics {
  static final String GROUP = "sluice-redis-metrics";
  static final String AVAILABLE = "redis-available";
  static final String CHANGES = "redis-availability-changes-total";
  static final String WAITING = "redis-events-waiting";
  static final String ROUND_TRIPS = "redis-round-trips-total";
  static final String METERED = "redis-events-metered-total";
  static final String BATCH = "redis-events-per-round-trip";

  private final AtomicLong available = new AtomicLong(1);
  private final AtomicLong changes = new AtomicLong();
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong roundTrips = new AtomicLong();
  private final AtomicLong metered = new AtomicLong();

  void asked(int events, int trips) {
    metered.addAndGet(events);
    roundTrips.addAndGet(trips);
  }

  void isAvailable(boolean now) {
    available.set(now ? 1 : 0);
    changes.incrementAndGet();
  }

  void waiting(int events) {
    waiting.set(events);
  }

  /** Whichever task comes first: they share them. */
  void register(StreamsMetrics streams) {
    Sensor sensor = streams.addSensor("sluice-redis", Sensor.RecordingLevel.INFO);
    add(sensor, AVAILABLE, "1 while Redis answers, 0 while it is gone", available::get);
    add(sensor, CHANGES, "how often Redis went or came back", changes::get);
    add(sensor, WAITING, "events that wait for Redis to come back", waiting::get);
    add(sensor, ROUND_TRIPS, "round trips to meter events", roundTrips::get);
    add(sensor, METERED, "events metered in Redis", metered::get);
    add(sensor, BATCH, "events metered in one round trip, on average", this::perRoundTrip);
  }

  private long perRoundTrip() {
    return metered.get() / Math.max(1, roundTrips.get());
  }

  private static void add(Sensor sensor, String name, String says, LongSupplier value) {
    sensor.add(new MetricName(name, GROUP, says, Map.of()), new Gauge(value));
  }

  /** Reads a value that is kept elsewhere. */
  private record Gauge(LongSupplier value) implements MeasurableStat {
    @Override
    public double measure(MetricConfig config, long nowMs) {
      return value.getAsLong();
    }

    @Override
    public void record(MetricConfig config, double recorded, long timeMs) {}
  }
}
