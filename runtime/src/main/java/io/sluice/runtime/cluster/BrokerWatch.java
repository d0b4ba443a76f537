package io.sluice.runtime.cluster;

import io.sluice.runtime.monitoring.Health;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch that reports once when no broker answers any more, and once when one answers again. Kafka's
 * clients log such an outage at every try, or not at all.
 */
final class BrokerWatch implements AutoCloseable {
  /*
   * The readiness of the instance depends on this watch. A group member receives an answer every
   * few seconds, except while it waits for others to join, but then its connections stay open.
   * Checks without an answer are counted instead of seconds, so that a suspended process does not
   * report its own pause.
   */
  private static final Logger LOG = LoggerFactory.getLogger(BrokerWatch.class);
  private static final Duration TICK = Duration.ofSeconds(2);
  static final int LOOKS_IN_VAIN = 6;

  private final Supplier<Map<MetricName, ? extends Metric>> metrics;
  private final String bootstrapServers;
  private final Health health;
  private final InstantSource clock;
  private final CountDownLatch ended = new CountDownLatch(1);
  private double answers;
  private double closed;
  private int inVain;
  private boolean said;
  private Instant lastAnswer;

  /**
   * Creates a watch that is not started.
   *
   * @param metrics of all Kafka clients of the instance
   * @param health is told when the brokers become silent and when they answer again
   */
  BrokerWatch(
      Supplier<Map<MetricName, ? extends Metric>> metrics,
      String bootstrapServers,
      Health health,
      InstantSource clock) {
    this.metrics = metrics;
    this.bootstrapServers = bootstrapServers;
    this.health = health;
    this.clock = clock;
    lastAnswer = clock.instant();
  }

  void start() {
    Thread looking = new Thread(this::goOnLooking, "sluice-brokers");
    looking.setDaemon(true);
    looking.start();
  }

  private void goOnLooking() {
    try {
      while (!ended.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) look();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void look() {
    Map<MetricName, ? extends Metric> all = metrics.get();
    double answersNow = sum(all, "response-total");
    double closedNow = sum(all, "connection-close-total");
    // The number of responses gets smaller when a client is closed.
    boolean answered = answersNow > answers;
    answers = answersNow;
    closed = Math.min(closed, closedNow);
    if (answered) {
      closed = closedNow;
      answered();
    } else if (++inVain >= LOOKS_IN_VAIN && closedNow > closed && !said) {
      said = true;
      health.noBrokerSince(lastAnswer);
      LOG.warn(
          "no broker has answered for {} s (bootstrap.servers={}): nothing is lost, events wait",
          inVain * TICK.toSeconds(),
          bootstrapServers);
    }
  }

  private void answered() {
    if (said) LOG.info("a broker answers again, after {} s", inVain * TICK.toSeconds());
    if (said) health.brokersAnswer();
    said = false;
    inVain = 0;
    lastAnswer = clock.instant();
  }

  private static double sum(Map<MetricName, ? extends Metric> all, String name) {
    double sum = 0;
    for (Map.Entry<MetricName, ? extends Metric> each : all.entrySet()) {
      if (!each.getKey().name().equals(name)) continue;
      if (!each.getKey().group().equals("consumer-metrics")) continue;
      if (each.getValue().metricValue() instanceof Number number) sum += number.doubleValue();
    }
    return sum;
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
