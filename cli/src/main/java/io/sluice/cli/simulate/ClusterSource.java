package io.sluice.cli.simulate;

import io.sluice.runtime.cluster.PastRecords;
import io.sluice.topology.simulation.Simulation;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Source of past events from the application's input topics in Kafka. */
final class ClusterSource implements Source {
  private final PastRecords records;
  private final Runnable beforeWaiting;
  private ConsumerRecord<byte[], byte[]> record;

  ClusterSource(PastRecords records, Runnable beforeWaiting) {
    this.records = records;
    this.beforeWaiting = beforeWaiting;
  }

  @Override
  public boolean next() {
    return records
        .next(beforeWaiting)
        .map(
            next -> {
              record = next;
              return true;
            })
        .orElse(false);
  }

  @Override
  public String place() {
    return record.topic() + "-" + record.partition() + "-" + record.offset();
  }

  @Override
  public void feed(Simulation simulation, Simulation.Output output) {
    simulation.feed(record, records.latestMs(), output);
  }

  @Override
  public String noun() {
    return "record";
  }

  @Override
  public boolean canBeSorted() {
    return false;
  }
}
