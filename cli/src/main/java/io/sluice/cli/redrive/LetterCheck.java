package io.sluice.cli.redrive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.cli.redrive.LetterFate.Cause;
import io.sluice.cli.redrive.LetterFate.Left;
import io.sluice.cli.redrive.LetterFate.Sendable;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.runtime.cluster.RecordPosition;
import io.sluice.topology.config.NonEvents;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.RecordSizes;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * Check whether a dead letter can go back to its input topic. Any producer may have written a
 * letter, so its headers decide only between the input topics of the application.
 */
final class LetterCheck {
  private static final int NO_SIZE = ConsumerRecord.NULL_SIZE;

  private final SluiceConfig config;
  private final EventOpener opener;
  private final RecordSizes sizes;
  private final Map<String, Integer> inputs;

  /**
   * Creates the check for an application.
   *
   * @param limits include the revisions of the cluster, since they name attributes of events
   * @param sizes sizes of records that the topics accept, to which the event would be written
   * @param inputs number of partitions of each input topic
   */
  LetterCheck(
      SluiceConfig config, LimitsInForce limits, RecordSizes sizes, Map<String, Integer> inputs) {
    this.config = config;
    this.sizes = sizes;
    opener = EventOpener.of(config, () -> limits, config.eventDecoder(), sizes);
    this.inputs = Map.copyOf(inputs);
  }

  /**
   * Decides on a letter.
   *
   * @throws io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException if the
   *     schema registry does not answer
   */
  LetterFate of(ConsumerRecord<byte[], byte[]> letter) {
    String origin = text(letter.headers(), DeadLetters.ERROR_ORIGIN);
    String leftOut = text(letter.headers(), DeadLetters.ERROR_LEFT_OUT);
    if (!leftOut.isEmpty()) {
      return new Left(Cause.LEFT_OUT, "it lacks " + leftOut + " of " + origin);
    }
    Optional<RecordPosition> from = RecordPosition.parse(origin);
    if (from.isEmpty()) return new Left(Cause.OTHER, noOrigin(origin));
    if (!isInput(from.get())) return new Left(Cause.OTHER, notAnInput(from.get()));
    ConsumerRecord<byte[], byte[]> original = original(letter, from.get());
    EventRecord event = new EventRecord(original.value());
    opener.open(event, original);
    return event
        .errorKind()
        .flatMap(fault -> cause(original, event, fault))
        .<LetterFate>map(left -> left)
        .orElseGet(() -> new Sendable(toSend(original)));
  }

  private static String noOrigin(String origin) {
    return origin.isEmpty()
        ? "it has no " + DeadLetters.ERROR_ORIGIN
        : "its " + DeadLetters.ERROR_ORIGIN + " is no topic-partition-offset: " + origin;
  }

  private boolean isInput(RecordPosition from) {
    return from.partition() < inputs.getOrDefault(from.topic(), 0);
  }

  private String notAnInput(RecordPosition from) {
    if (from.topic().equals(config.topics().delayed())) {
      return "it came from " + from + ", and lacks the headers that a delayed event needs";
    }
    return inputs.containsKey(from.topic())
        ? "it came from " + from + ", and the topic has no such partition any more"
        : "it came from " + from + ", which is no input topic of the configuration";
  }

  /** Returns the record as it was in the input topic. */
  private static ConsumerRecord<byte[], byte[]> original(
      ConsumerRecord<byte[], byte[]> letter, RecordPosition from) {
    Headers headers = new RecordHeaders(letter.headers());
    VerdictHeaders.removeOurs(headers);
    return new ConsumerRecord<>(
        from.topic(),
        from.partition(),
        from.offset(),
        letter.timestamp(),
        TimestampType.CREATE_TIME,
        NO_SIZE,
        NO_SIZE,
        letter.key(),
        letter.value(),
        headers,
        Optional.empty());
  }

  /**
   * Returns why a record that is no event is left; empty if the application would pass it on to the
   * allowed topic.
   */
  private Optional<Left> cause(
      ConsumerRecord<byte[], byte[]> original, EventRecord event, FaultKind fault) {
    String error = event.error().orElse("");
    return switch (config.nonEvents().of(fault, original.key(), original.value())) {
      case DEAD_LETTER -> Optional.of(new Left(Cause.UNREADABLE, error));
      case DROP -> Optional.of(new Left(Cause.OTHER, "the application would drop it: " + error));
      case ALLOW -> tooLarge(original, event, fault).map(why -> new Left(Cause.UNREADABLE, why));
    };
  }

  /** Returns why a record that is no event does not fit into the allowed topic. */
  private Optional<String> tooLarge(
      ConsumerRecord<byte[], byte[]> original, EventRecord event, FaultKind fault) {
    Headers headers = new RecordHeaders(original.headers());
    config.headers().write(headers, Verdict.unmetered(NonEvents.reason(fault)));
    String topic = config.topics().allowed().of(event.origin());
    return sizes.lacking(topic, original.key(), original.value(), headers, 0);
  }

  private static ProducerRecord<byte[], byte[]> toSend(ConsumerRecord<byte[], byte[]> original) {
    return new ProducerRecord<>(
        original.topic(),
        original.partition(),
        original.timestamp() < 0 ? null : original.timestamp(),
        original.key(),
        original.value(),
        original.headers());
  }

  static String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }
}
