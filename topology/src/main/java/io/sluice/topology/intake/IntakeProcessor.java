package io.sluice.topology.intake;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.VerdictHeaders;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * First node of Kafka Streams for input records: forwards unreadable records to the dead-letter
 * sink, events that must move to their home partition to the repartition topic, and all other
 * events towards the meter node.
 */
final class IntakeProcessor extends ContextualProcessor<byte[], EventRecord, byte[], EventRecord> {
  private final Supplier<List<Limit>> homed;
  private final DeadLetters deadLetters;
  private final HomePartitioner home;
  private final String onward;
  private final BooleanSupplier paced;
  private final InputLag lag;
  private final CommitPace pace = new CommitPace(() -> context().commit());

  /**
   * @param homed limits whose events must be metered on their home partition
   * @param paced whether a commit is requested when a task has many uncommitted records
   * @param lag is told of each processed record
   * @param onward name of the node for events that need not move to another partition
   */
  IntakeProcessor(
      Supplier<List<Limit>> homed,
      BooleanSupplier paced,
      DeadLetters deadLetters,
      HomePartitioner home,
      InputLag lag,
      String onward) {
    this.homed = homed;
    this.paced = paced;
    this.deadLetters = deadLetters;
    this.home = home;
    this.lag = lag;
    this.onward = onward;
  }

  @Override
  public void process(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    VerdictHeaders.removeOurs(record.headers());
    if (paced.getAsBoolean()) context().recordMetadata().ifPresent(pace::passed);
    if (lag.isNeeded()) context().recordMetadata().ifPresent(this::processed);
    if (event.isFaulty()) {
      context().forward(deadLetters.of(record), Nodes.DEAD_LETTERS);
    } else if (home.accepts(event, partition(), homed.get())) {
      context().forward(record, onward);
    } else {
      context().forward(Hop.depart(record), Nodes.HOP);
    }
  }

  private void processed(RecordMetadata at) {
    lag.processed(at, context().currentSystemTimeMs());
  }

  private int partition() {
    return context().recordMetadata().orElseThrow().partition();
  }
}
