package io.sluice.topology;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What can be seen of an instance from outside: its metrics and its health. */
final class Monitoring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);

  /** How soon partitions that come or go are seen among Kafka's metrics. */
  private static final Duration REFRESH = Duration.ofSeconds(5);

  private final Instruments instruments;
  private final Health health = new Health();
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private Optional<URI> address = Optional.empty();

  private Monitoring(SluiceConfig config) {
    instruments = new Instruments(config);
    registry.config().meterFilter(new KafkaMeters());
  }

  /**
   * Begins to serve what the configuration wants served, before there is anything to see.
   *
   * @throws StartException if the address or the port cannot be had
   */
  static Monitoring open(SluiceConfig config) {
    Monitoring monitoring = new Monitoring(config);
    if (config.http().served()) monitoring.serve(config.http());
    return monitoring;
  }

  private void serve(HttpConfig config) {
    HttpEndpoint endpoint = HttpEndpoint.open(config, registry, health);
    opened.push(endpoint);
    address = Optional.of(endpoint.address());
    LOG.info("metrics and health are served on {}", endpoint.address());
    instruments.bindTo(registry);
  }

  /** Shows what Kafka Streams and its clients say of themselves, too. */
  void show(KafkaStreams streams) {
    if (address.isEmpty()) return;
    ScheduledExecutorService refreshing =
        Executors.newSingleThreadScheduledExecutor(Monitoring::thread);
    opened.push(refreshing::shutdownNow);
    KafkaStreamsMetrics kafka = new KafkaStreamsMetrics(streams, Tags.empty(), refreshing, REFRESH);
    kafka.bindTo(registry);
    opened.push(kafka);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "sluice-metrics");
    thread.setDaemon(true);
    return thread;
  }

  Instruments instruments() {
    return instruments;
  }

  Health health() {
    return health;
  }

  /** Where it is served, if it is. */
  Optional<URI> address() {
    return address;
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        LOG.warn("while ending", e);
      }
    }
    registry.close();
  }
}
