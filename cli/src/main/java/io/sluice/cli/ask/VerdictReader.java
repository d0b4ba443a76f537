package io.sluice.cli.ask;

import io.sluice.events.EventDecoder;
import io.sluice.events.RawRecord;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.topology.config.OutputTopics;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decodes records of the output topics for allowed, rejected and delayed events. */
final class VerdictReader {
  /**
   * Maximum length in characters of a kept event id or action; in an event, both may have
   * megabytes.
   */
  private static final int LONGEST = 1_000;

  private final EventDecoder decoder;
  private final Topics topics;
  private final LimitsInForce limits;
  private final boolean judgedByEventTime;
  private final Map<String, Verdict.Kind> kinds = new HashMap<>();

  VerdictReader(SluiceConfig config, LimitsInForce limits) {
    decoder = config.eventDecoder();
    topics = config.topics();
    judgedByEventTime = config.judgesByEventTime();
    this.limits = limits;
    kinds.put(topics.delayed(), Verdict.Kind.DELAYED);
    for (String each : topics.rejected().names()) kinds.put(each, Verdict.Kind.REJECTED);
    for (String each : topics.allowed().names()) kinds.put(each, Verdict.Kind.ALLOWED);
  }

  /**
   * Returns the verdict on the record's event; empty if the event does not match the filter.
   *
   * @throws UnreadableEventException if the record is not an event
   */
  Optional<PastVerdict> read(ConsumerRecord<byte[], byte[]> record, Wanted wanted)
      throws UnreadableEventException {
    // An order about waiting events is no event.
    if (DelayHeaders.control(record.headers()).isPresent()) return Optional.empty();
    Origin origin = origin(record);
    Event event = decoder.decode(RawRecord.of(record, origin));
    if (!wanted.has(event)) return Optional.empty();
    Map<String, String> said = VerdictHeaders.read(record.headers());
    return Optional.of(
        new PastVerdict(
            event.occurredAtMs(),
            new PastVerdict.Place(record.topic(), record.partition(), record.offset()),
            kinds.get(record.topic()),
            event.eventId().equals(origin.toString()) ? "" : cut(event.eventId()),
            isActionUnknown(event, origin) ? "" : cut(event.action()),
            said,
            rule(event, said)));
  }

  /**
   * Returns the origin from which the decoder takes the event's input topic. If each input topic
   * has its own output topic, the record's topic determines it; otherwise a header does. Without
   * that header the origin is unknown.
   */
  private Origin origin(ConsumerRecord<byte[], byte[]> record) {
    String topic = record.topic();
    OutputTopics outputs =
        topics.rejected().names().contains(topic) ? topics.rejected() : topics.allowed();
    int which = outputs.names().indexOf(topic);
    return which < 0 || outputs.isOne()
        ? DelayHeaders.origin(record.headers())
        : Origin.of(outputs.inputs().get(which), 0, 0);
  }

  /**
   * Whether the event's action is only a guess. The decoder uses the input topic as the default
   * action, and assumes the first input topic if the origin is unknown.
   */
  private boolean isActionUnknown(Event event, Origin origin) {
    return topics.inputs().size() > 1 && !origin.isKnown() && event.action().equals(event.topic());
  }

  /**
   * Returns the source of the deciding limit's settings at the time of the event. It is unknown for
   * a retried event, and if limits follow wall-clock time: the record does not contain the time of
   * metering.
   */
  private PastVerdict.Rule rule(Event event, Map<String, String> said) {
    String limit = said.getOrDefault("limit", "");
    boolean denied = said.getOrDefault("reason", "").equals("denied");
    boolean again = !said.getOrDefault("attempt", "1").equals("1");
    if (!judgedByEventTime || again || (limit.isEmpty() && !denied)) {
      return PastVerdict.Rule.UNKNOWN;
    }
    List<LimitRevision> all = limits.sayingSo(limit, event, event.occurredAtMs());
    return new PastVerdict.Rule(because(limit, all), all.stream().map(LimitRevision::id).toList());
  }

  private String because(String limit, List<LimitRevision> all) {
    if (all.isEmpty()) return isKnown(limit) ? "file" : "";
    boolean own = all.stream().anyMatch(each -> !each.scope().isWhole());
    return own ? "override" : "revision";
  }

  /**
   * Whether the limit exists in the properties file or in a revision (dated change); other limits
   * may come from an earlier version of the file.
   */
  private boolean isKnown(String limit) {
    return limits.ever().all().stream().anyMatch(each -> each.name().equals(limit));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
