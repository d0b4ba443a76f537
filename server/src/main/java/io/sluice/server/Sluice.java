package io.sluice.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.events.EventDecoder;
import io.sluice.live.LiveLimits;
import io.sluice.rules.StartException;
import io.sluice.runtime.cluster.Cluster;
import io.sluice.runtime.cluster.RunningStreams;
import io.sluice.runtime.cluster.RunningStreams.DamagedStateException;
import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.server.ask.QueryApi;
import io.sluice.topology.ThrottleNodes;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.prefetch.Prefetch;
import io.sluice.topology.redis.RedisBreaker;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.Topology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running instance of Sluice. Instances with the same {@code application.id} share the
 * partitions of the input topics.
 */
public final class Sluice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sluice.class);

  private final InstanceEndpoints outside;
  private final RunSummary summary;
  private final EventDecoder decoder;
  private final RedisBreaker breaker;
  private final LiveLimits limits;
  private final RunningStreams running;
  private final QueryApi asking;

  private Sluice(
      SluiceConfig config, Cluster cluster, LiveLimits limits, InstanceEndpoints outside) {
    this.outside = outside;
    this.limits = limits;
    Monitoring monitoring = outside.monitoring();
    Instruments instruments = monitoring.instruments();
    summary = new RunSummary(instruments, InstantSource.system());
    Properties properties = config.streams();
    RecordSizes sizes = cluster.provideSizes(properties);
    breaker = RedisBreaker.of(config, instruments.redis());
    decoder = config.eventDecoder();
    EventOpener opener = EventOpener.of(config, limits, decoder, sizes);
    int partitions = cluster.inputPartitions();
    InputLag lag = InputLag.of(config, () -> limits.known().ever().retries());
    HomePartitioner home = HomePartitioner.of(config, partitions);
    MeteringServices services =
        new MeteringServices(config, limits, home, opener, breaker, instruments);
    Topology topology =
        ThrottleTopology.build(
            config.topics(), partitions, ThrottleNodes.of(services, sizes, lag, cluster.output()));
    UnaryOperator<org.apache.kafka.clients.consumer.Consumer<byte[], byte[]>> prefetching =
        Prefetch.by(services, properties);
    running =
        new RunningStreams(
            config,
            topology,
            properties,
            plain -> prefetching.apply(lag.watched(plain)),
            cluster,
            monitoring.health());
    breaker.governs(running.kafka()::pause, running.kafka()::resume);
    monitoring.show(running.kafka());
    asking =
        new QueryApi(
            config,
            limits,
            partitions,
            running,
            monitoring,
            Version.text(),
            InstantSource.system());
    outside.serve(asking.routes());
  }

  /**
   * Prepares the topics and starts an instance.
   *
   * @throws StartException if the instance cannot start; the message says why in one line
   */
  public static Sluice start(SluiceConfig config) {
    return start(config, List.of());
  }

  /**
   * Starts an instance that also publishes Sluice's own metrics to a registry of the caller. The
   * caller closes the registry.
   *
   * @throws StartException if it cannot start; the message says why in one line
   */
  public static Sluice start(SluiceConfig config, MeterRegistry registry) {
    return start(config, List.of(registry));
  }

  private static Sluice start(SluiceConfig config, List<MeterRegistry> registries) {
    try {
      return start(config, registries, running -> {});
    } catch (DamagedStateException e) {
      LOG.warn(
          "state on disk is damaged; it is deleted and restored from the changelogs: {}",
          e.getMessage());
      return start(config, registries, RunningStreams::deleteState);
    }
  }

  private static Sluice start(
      SluiceConfig config, List<MeterRegistry> registries, Consumer<RunningStreams> before) {
    InstanceEndpoints outside = InstanceEndpoints.open(config, registries);
    try {
      return start(config, outside, before);
    } catch (RuntimeException e) {
      outside.close();
      throw e;
    }
  }

  private static Sluice start(
      SluiceConfig config, InstanceEndpoints outside, Consumer<RunningStreams> before) {
    ConfigReport.remarks(config).forEach(LOG::info);
    RedisBreaker.warnings(config).forEach(LOG::warn);
    Cluster cluster = Cluster.open(config);
    try {
      LOG.info("Sluice {}", Version.text());
      ConfigReport.summary(config).lines().filter(line -> !line.isBlank()).forEach(LOG::info);
      cluster.prepareTopics().forEach(LOG::warn);
      LiveLimits limits = liveLimits(config, cluster, outside.monitoring());
      Sluice sluice = made(config, cluster, limits, outside);
      sluice.start(before);
      return sluice;
    } catch (KafkaException e) {
      cluster.close();
      throw Cluster.cannotStart(e);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static LiveLimits liveLimits(
      SluiceConfig config, Cluster cluster, Monitoring monitoring) {
    return cluster
        .limitsTopic()
        .map(topic -> LiveLimits.follow(config.limitsConfig(), topic, monitoring.limits()))
        .orElseGet(() -> LiveLimits.unchanging(config.limitsConfig()));
  }

  private static Sluice made(
      SluiceConfig config, Cluster cluster, LiveLimits limits, InstanceEndpoints outside) {
    try {
      return new Sluice(config, cluster, limits, outside);
    } catch (RuntimeException e) {
      limits.close();
      throw e;
    }
  }

  private void start(Consumer<RunningStreams> before) {
    try {
      before.accept(running);
      running.start();
    } catch (StartException | DamagedStateException e) {
      close();
      throw e;
    } catch (RuntimeException e) {
      close();
      throw Cluster.cannotStart(e);
    }
  }

  /**
   * Waits until partitions are assigned and events are metered; returns false if the instance ended
   * first.
   */
  public boolean awaitRunning() throws InterruptedException {
    return running.awaitRunning();
  }

  /** Waits until the instance has ended: it was closed, or it failed permanently. */
  public void awaitEnd() throws InterruptedException {
    running.awaitEnd();
  }

  /** Whether a failure ended the instance. */
  public boolean hasFailed() {
    return failure().isPresent();
  }

  /** Failure that ended the instance or is ending it, in one line; empty if none did. */
  public Optional<String> failure() {
    return running.failure();
  }

  /**
   * Address of the HTTP server for metrics, health, the API and the page; empty if HTTP is not
   * configured.
   */
  public Optional<URI> httpAddress() {
    return outside.address();
  }

  /** Version of this build, with the commit that it was built from. */
  public static String version() {
    return Version.text();
  }

  /** Metrics of Kafka Streams and of its clients, and Sluice's own metrics. */
  public Map<MetricName, ? extends Metric> metrics() {
    return running.kafka().metrics();
  }

  /**
   * Commits the processed records and leaves the group; returns within seconds, when the instance
   * has ended.
   */
  @Override
  public void close() {
    decoder.stopWaiting();
    running.close();
    limits.close();
    breaker.close();
    outside.close();
    asking.close();
    LOG.info("ended: {}", summary.line());
  }
}
