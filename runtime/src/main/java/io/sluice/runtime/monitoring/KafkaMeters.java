package io.sluice.runtime.monitoring;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import java.util.Set;

/**
 * Filter that admits to a scrape only those metrics of Kafka Streams and its clients that are worth
 * reading or alerting on. JMX still has all of them.
 */
final class KafkaMeters implements MeterFilter {
  /*
   * With four threads and six partitions all metrics of Kafka make 3,700 lines. Micrometer's names
   * for some of them break Prometheus' conventions: no help, abbreviated units, a gauge whose name
   * ends like a counter's.
   */
  private static final String STREAM = "kafka.stream.";
  private static final String CONSUMER = "kafka.consumer.";
  private static final String PRODUCER = "kafka.producer.";
  private static final Set<String> SHOWN =
      Set.of(
          STREAM + "client.state",
          STREAM + "alive.stream.threads",
          STREAM + "failed.stream.threads",
          STREAM + "thread.process.total",
          STREAM + "thread.process.ratio",
          STREAM + "thread.punctuate.ratio",
          STREAM + "thread.commit.ratio",
          STREAM + "thread.poll.ratio",
          STREAM + "thread.commit.latency.avg",
          STREAM + "thread.commit.latency.max",
          STREAM + "task.dropped.records.total",
          STREAM + "state.updater.active.restoring.tasks",
          STREAM + "topic.records.consumed.total",
          STREAM + "topic.records.produced.total",
          CONSUMER + "fetch.manager.records.lag.max",
          CONSUMER + "coordinator.assigned.partitions",
          CONSUMER + "coordinator.rebalance.total",
          CONSUMER + "coordinator.rebalance.latency.max",
          CONSUMER + "coordinator.last.heartbeat.seconds.ago",
          CONSUMER + "time.between.poll.max",
          PRODUCER + "record.send.total",
          PRODUCER + "record.error.total",
          PRODUCER + "record.retry.total",
          PRODUCER + "request.latency.max");

  @Override
  public MeterFilterReply accept(Meter.Id id) {
    boolean ofKafka = id.getName().startsWith("kafka.");
    return !ofKafka || SHOWN.contains(id.getName())
        ? MeterFilterReply.NEUTRAL
        : MeterFilterReply.DENY;
  }
}
