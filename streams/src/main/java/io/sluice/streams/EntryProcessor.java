package io.sluice.streams;

import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * First node of a throttled stream: gets the action of each record from the application's function,
 * and forwards the record to the home partition of the action's key fields, where it is metered. A
 * record that has no valid action takes the same way, with a description of the fault. So all
 * output of a throttled stream comes from one place, and the application's own partitioning need
 * not match that of the limits.
 */
final class EntryProcessor<K, V> extends ContextualProcessor<K, V, byte[], EventRecord> {
  private final Serialized<K, V> serialized;
  private final BiFunction<? super K, ? super V, Action> by;
  private final EventOpener opener;
  private final String name;
  private Coordinates coordinates;
  private String topic;

  /**
   * @param name name of the throttled stream
   */
  EntryProcessor(
      Serialized<K, V> serialized,
      BiFunction<? super K, ? super V, Action> by,
      EventOpener opener,
      String name) {
    this.serialized = serialized;
    this.by = by;
    this.opener = opener;
    this.name = name;
  }

  @Override
  public void init(ProcessorContext<byte[], EventRecord> context) {
    super.init(context);
    coordinates = new Coordinates(name + "-timer-" + context.taskId().partition());
    topic = serialized.topic(context.applicationId());
  }

  @Override
  public void process(Record<K, V> record) {
    Headers headers = new RecordHeaders(record.headers()); // a copy: other nodes may share them
    VerdictHeaders.removeOurs(headers);
    byte[] key = serialized.key(topic, headers, record.key());
    byte[] value = serialized.value(topic, headers, record.value());
    EventRecord event = opened(record, value, coordinates.next(context().recordMetadata()));
    // A record without a valid action has no event time.
    long timeMs = event.isFaulty() ? 0 : event.event().occurredAtMs();
    context().forward(EventOpener.depart(new Record<>(key, event, timeMs, headers)));
  }

  private EventRecord opened(Record<K, V> record, byte[] value, Origin origin) {
    try {
      EventRecord event = new EventRecord(wrapped(record, value));
      Optional<UnreadableEventException> wrong = open(event, origin, record.timestamp());
      return wrong.isEmpty() ? event : faulty(wrong.get(), origin, record.timestamp(), value);
    } catch (UnreadableEventException e) {
      return faulty(e, origin, record.timestamp(), value);
    }
  }

  private EventRecord faulty(
      UnreadableEventException why, Origin origin, long timestampMs, byte[] value) {
    EventRecord event = new EventRecord(Wrapped.faulty(why, value));
    open(event, origin, timestampMs);
    return event;
  }

  private Optional<UnreadableEventException> open(
      EventRecord event, Origin origin, long timestampMs) {
    return opener.open(event, origin, timestampMs, context().currentSystemTimeMs());
  }

  /**
   * Calls the application's function for the action, and encodes the action with the value. An
   * exception of the function, or null, makes the record invalid: it neither stops the stream nor
   * passes unmetered.
   */
  private byte[] wrapped(Record<K, V> record, byte[] value) throws UnreadableEventException {
    try {
      Action action = by.apply(record.key(), record.value());
      if (action != null) return Wrapped.of(action, record.timestamp(), value);
    } catch (RuntimeException e) {
      throw new UnreadableEventException(
          FaultKind.UNDECODABLE, "the function in by(...) failed: " + e);
    }
    throw new UnreadableEventException(FaultKind.EMPTY, "the function in by(...) returned null");
  }
}
