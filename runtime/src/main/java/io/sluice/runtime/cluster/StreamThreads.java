package io.sluice.runtime.cluster;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.ThreadMetadata;

/** Stream threads of one instance. */
interface StreamThreads {
  /** Starts another thread; returns false if the instance is not running. */
  boolean add();

  /** Whether all threads are members of the group and have their assigned tasks. */
  boolean allRun();

  /** Number of commits of each thread with active tasks, by thread name. */
  Map<String, Double> commits();

  static StreamThreads of(KafkaStreams streams) {
    return new OfStreams(streams);
  }

  /** Implementation by the threads and the metrics of {@link KafkaStreams}. */
  record OfStreams(KafkaStreams streams) implements StreamThreads {
    private static final String GROUP = "stream-thread-metrics";

    @Override
    public boolean add() {
      // The state is checked first, because Kafka Streams logs a warning each time it cannot add a
      // thread.
      return streams.state().isRunningOrRebalancing() && streams.addStreamThread().isPresent();
    }

    @Override
    public boolean allRun() {
      return streams.state() == KafkaStreams.State.RUNNING
          && streams.metadataForLocalThreads().stream()
              .allMatch(thread -> thread.threadState().equals("RUNNING"));
    }

    @Override
    public Map<String, Double> commits() {
      Map<String, Double> commits = new TreeMap<>();
      for (ThreadMetadata thread : streams.metadataForLocalThreads()) {
        if (!thread.activeTasks().isEmpty()) commits.put(thread.threadName(), 0.0);
      }
      streams.metrics().forEach((name, metric) -> read(name, metric, commits));
      return commits;
    }

    private static void read(MetricName name, Metric metric, Map<String, Double> commits) {
      if (!name.name().equals("commit-total") || !name.group().equals(GROUP)) return;
      if (!(metric.metricValue() instanceof Number number)) return;
      commits.computeIfPresent(name.tags().get("thread-id"), (any, none) -> number.doubleValue());
    }
  }
}
