package io.sluice.runtime.monitoring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.live.LimitsReport;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.MetricDefinition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and health of an instance, as they are shown to the outside. */
public final class Monitoring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);

  /** Content type of a scrape in Prometheus' text format. */
  public static final String FORMAT = "text/plain; version=0.0.4; charset=utf-8";

  /** Interval in which Kafka's metrics are searched for those of new and lost partitions. */
  private static final Duration REFRESH = Duration.ofSeconds(5);

  private final boolean served;
  private final PrometheusMeterRegistry prometheus =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Health health = new Health();
  private final Instruments instruments;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  private Monitoring(SluiceConfig config, List<MeterRegistry> others) {
    served = config.http().served();
    prometheus.config().meterFilter(new KafkaMeters());
    List<MeterRegistry> registries = new ArrayList<>(others);
    if (served) registries.add(prometheus);
    instruments =
        new Instruments(config.limits(), config.queueOrder(), config.mayUseRedis(), registries);
  }

  /**
   * Starts the metrics of an instance.
   *
   * @param others registries of the caller, which get Sluice's own metrics too
   */
  public static Monitoring open(SluiceConfig config, List<MeterRegistry> others) {
    return new Monitoring(config, others);
  }

  /** Returns all metrics as a scrape, in {@link #FORMAT}. */
  public byte[] scrape() {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
      prometheus.scrape(out, FORMAT);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds the metrics of Kafka Streams and its clients, and those of the instance's health. */
  public void show(KafkaStreams streams) {
    instruments.show(
        MetricDefinition.gauge(
            "broker-available",
            "1 while a broker of Kafka answers, 0 while none does.",
            () -> health.noBrokerSince().isEmpty() ? 1 : 0));
    instruments.show(
        MetricDefinition.gauge(
            "ready",
            "1 while the instance has partitions and meters their events, 0 while it does not.",
            () -> health.ready().well() ? 1 : 0));
    if (!served) return;
    ScheduledExecutorService refreshing =
        Executors.newSingleThreadScheduledExecutor(Monitoring::thread);
    opened.push(refreshing::shutdownNow);
    KafkaStreamsMetrics kafka = new KafkaStreamsMetrics(streams, Tags.empty(), refreshing, REFRESH);
    opened.push(kafka);
    kafka.bindTo(prometheus);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-metrics");
    thread.setDaemon(true);
    return thread;
  }

  public Instruments instruments() {
    return instruments;
  }

  public Health health() {
    return health;
  }

  /**
   * Creates the receiver of reports about limits that change, and shows its metrics from now on.
   * Call it once.
   */
  public LimitsReport limits() {
    LimitsMetrics limits =
        new LimitsMetrics(instruments.registry(), InstantSource.system(), health);
    limits.readings(instruments::show);
    return limits;
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        LOG.warn("closing failed", e);
      }
    }
    prometheus.close();
  }
}
