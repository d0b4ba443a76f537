package io.sluice.cli.redrive;

import io.sluice.cli.event.DeadLetter;
import io.sluice.cli.redrive.LetterFate.Cause;
import io.sluice.cli.redrive.LetterFate.Left;
import io.sluice.cli.redrive.LetterFate.Sendable;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Verdict;
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
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Check whether a dead letter can go back to its input topic. Any producer may have written a
 * letter, so its headers decide only between the input topics of the application.
 */
final class LetterCheck {
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
    DeadLetter dead = new DeadLetter(letter);
    String leftOut = dead.text(DeadLetters.ERROR_LEFT_OUT);
    if (!leftOut.isEmpty()) {
      return new Left(Cause.LEFT_OUT, "it lacks " + leftOut + " of " + dead.origin());
    }
    Optional<RecordPosition> from = dead.from();
    if (from.isEmpty()) return new Left(Cause.OTHER, dead.noOrigin());
    if (!isInput(from.get())) return new Left(Cause.OTHER, notAnInput(from.get()));
    ConsumerRecord<byte[], byte[]> original = dead.original(from.get());
    EventRecord event = new EventRecord(original.value());
    opener.open(event, original);
    return event
        .errorKind()
        .flatMap(fault -> cause(original, event, fault))
        .<LetterFate>map(left -> left)
        .orElseGet(() -> new Sendable(toSend(original)));
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
}
