package io.sluice.topology.intake;

import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.topology.config.NonEvents;
import io.sluice.topology.config.NonEvents.Policy;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * First node of Kafka Streams for input records: forwards records that are not events to the
 * dead-letter sink, or as configured to the allowed topic or nowhere, events that must move to
 * their home partition to the repartition topic, and all other events towards the meter node.
 */
public final class IntakeProcessor
    extends ContextualProcessor<byte[], EventRecord, byte[], EventRecord> {
  private final MeteringServices services;
  private final DeadLetters deadLetters;
  private final InputLag lag;
  private final HomePartitioner home;
  private final Supplier<List<Limit>> homed;
  private final BooleanSupplier paced;
  private final String onward;
  private NodeContext<byte[], EventRecord> node;
  private final CommitPace pace = new CommitPace(() -> context().commit());

  private IntakeProcessor(Node parts) {
    services = parts.services;
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
  public void init(ProcessorContext<byte[], EventRecord> context) {
    node = NodeContext.of(context, NodeContext.Settings.of(services, "").withOnward(onward));
    super.init(node);
  }

  @Override
  public void process(Record<byte[], EventRecord> record) {
    Record<byte[], EventRecord> first =
        record.value().batch().map(batch -> batch.records().get(0)).orElse(record);
    services.instruments().recordLatency(services.opener().wallMs() - first.value().timestampMs());
    node.process(record, this::take);
  }

  private void take(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    VerdictHeaders.removeOurs(record.headers());
    if (paced.getAsBoolean()) pace.passed();
    if (lag.isNeeded()) context().recordMetadata().ifPresent(this::processed);
    if (event.isFaulty()) {
      leave(record);
    } else if (home.accepts(event, partition(), homed.get())) {
      context().forward(record, onward);
    } else {
      context().forward(Hop.depart(record), Nodes.HOP);
    }
  }

  /**
   * Forwards or drops a record that is not an event. It stays in its partition, because a home
   * partition follows from the fields of an event.
   */
  private void leave(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    FaultKind fault = event.fault().orElseThrow().kind();
    Policy policy = services.config().nonEvents().of(fault, record.key(), event.bytes());
    Verdict.Reason reason = NonEvents.reason(fault);
    if (policy == Policy.DROP) {
      services.instruments().countDropped(reason);
    } else if (policy == Policy.ALLOW && isPassedOn(record, Verdict.unmetered(reason))) {
      services.instruments().countPassedOn(reason);
      context().forward(record.withTimestamp(event.timestampMs()), Nodes.UNMETERED);
    } else {
      context().forward(deadLetters.of(record), Nodes.DEAD_LETTERS);
    }
  }

  /**
   * Writes the verdict to a record that is passed on without metering; marks the record as too
   * large if it does not fit into the allowed topic.
   *
   * @return whether the record fits
   */
  private boolean isPassedOn(Record<byte[], EventRecord> record, Verdict verdict) {
    EventRecord event = record.value();
    services.config().headers().write(record.headers(), verdict);
    String topic = services.config().topics().allowed().of(event.origin());
    Optional<String> lacking =
        deadLetters.sizes().lacking(topic, record.key(), event.bytes(), record.headers(), 0);
    lacking.ifPresent(why -> event.refused(new UnreadableEventException(FaultKind.TOO_LARGE, why)));
    return lacking.isEmpty();
  }

  private void processed(RecordMetadata at) {
    lag.processed(at, context().currentSystemTimeMs());
  }

  private int partition() {
    return context().taskId().partition();
  }
}
