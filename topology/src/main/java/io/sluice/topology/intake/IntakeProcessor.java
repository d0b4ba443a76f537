package io.sluice.topology.intake;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.VerdictHeaders;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * First node of Kafka Streams for input records: forwards unreadable records to the dead-letter
 * sink, events that must move to their home partition to the repartition topic, and all other
 * events towards the meter node.
 */
public final class IntakeProcessor
    extends ContextualProcessor<byte[], EventRecord, byte[], EventRecord> {
  private final DeadLetters deadLetters;
  private final InputLag lag;
  private final HomePartitioner home;
  private final Supplier<List<Limit>> homed;
  private final BooleanSupplier paced;
  private final String onward;
  private final CommitPace pace = new CommitPace(() -> context().commit());

  private IntakeProcessor(Node parts) {
    deadLetters = parts.deadLetters;
    lag = parts.lag;
    home = parts.services.home();
    homed = parts.services.homed();
    paced = parts.services.paced();
    onward = parts.services.hops() ? Nodes.AT_HOME : Nodes.TO_METER;
  }

  /**
   * Supplier of the intake node of each task.
   *
   * @param lag is told of each processed record
   */
  public record Node(MeteringServices services, DeadLetters deadLetters, InputLag lag)
      implements ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> {
    @Override
    public Processor<byte[], EventRecord, byte[], EventRecord> get() {
      return new IntakeProcessor(this);
    }
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
