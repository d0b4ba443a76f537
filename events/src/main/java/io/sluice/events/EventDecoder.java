package io.sluice.events;

import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.limiter.Arrival;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Keys;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Decoder of events from records. Validates the fields that metering needs. Safe for many threads.
 */
public final class EventDecoder {
  private static final long LATEST_MS = Arrival.LATEST_MICROS / 1_000;

  private final List<String> inputs;
  private final List<TopicDecoder> decoders;
  private final List<InputTopic> topics = new ArrayList<>();
  private final Part part;

  /** Extracts the bytes of the event from the value of a record. */
  @FunctionalInterface
  public interface Part {
    /**
     * @throws UnreadableEventException if the value contains no event; the message says why
     */
    byte[] of(byte[] value) throws UnreadableEventException;
  }

  /**
   * @param decoders decoder of each input topic; one if there are no input topics
   */
  private EventDecoder(List<String> inputs, List<TopicDecoder> decoders, Part part) {
    this.part = part;
    this.inputs = inputs;
    this.decoders = decoders;
    for (int i = 0; i < decoders.size(); i++) {
      topics.add(decoders.get(i).input(inputs.isEmpty() ? "" : inputs.get(i)));
    }
  }

  /**
   * Returns a decoder for the records of input topics.
   *
   * @param inputs input topics
   */
  public static EventDecoder of(
      TopicSelectors selectors, SchemaConfig schemas, List<String> inputs) {
    List<TopicDecoder> decoders = new ArrayList<>();
    Map<EventSelectors, TopicDecoder> distinct = new HashMap<>(); // by identity
    for (String topic : inputs.isEmpty() ? List.of("") : inputs) {
      decoders.add(
          distinct.computeIfAbsent(
              selectors.of(topic),
              each -> new TopicDecoder(each, schemas.open(each), schemas.idBytes())));
    }
    return new EventDecoder(List.copyOf(inputs), decoders, value -> value);
  }

  /**
   * Returns a decoder for records of any topic whose values contain a {@code UserAction}.
   *
   * @param part extracts the bytes of the {@code UserAction} from a value
   * @param leastCost lowest valid cost of an event
   */
  public static EventDecoder ofPart(Part part, long leastCost) {
    EventSelectors selectors =
        EventSelectors.of(Map.of(), Map.of(), new ValueRules(EventTimes.DEFAULT, leastCost));
    TopicDecoder decoder = new TopicDecoder(selectors, SchemaConfig.NONE.open(selectors));
    return new EventDecoder(List.of(), List.of(decoder), part);
  }

  /**
   * Decodes and validates the event of a record.
   *
   * @throws SchemasUnavailableException if the source of schemas does not answer
   */
  public Event decode(RawRecord record) throws UnreadableEventException {
    byte[] value = record.value();
    if (value == null || value.length == 0)
      throw new UnreadableEventException(FaultKind.EMPTY, "the value is empty");
    int input = inputOf(record.origin());
    TopicDecoder decoder = decoders.get(input);
    try {
      Event event = decoder.read(record, part.of(value), topics.get(input));
      return checked(event, decoder.selectors(), record.timestampMs());
    } catch (SchemasUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      // An attacker may send a value that crashes a parser, and processing must go on.
      throw new UnreadableEventException("unreadable: " + e);
    }
  }

  private int inputOf(Origin origin) {
    return decoders.size() == 1 ? 0 : inputOf(inputs, origin);
  }

  /** Returns the time of a record's event; empty if the record is not a valid event. */
  public OptionalLong occurredAtMs(RawRecord record) {
    try {
      return OptionalLong.of(decode(record).occurredAtMs());
    } catch (UnreadableEventException e) {
      return OptionalLong.empty();
    }
  }

  private static Event checked(Event event, EventSelectors selectors, long timestampMs)
      throws UnreadableEventException {
    long occurredAtMs = event.occurredAtMs();
    boolean isFit =
        !event.userId().isEmpty()
            && !event.action().isEmpty()
            && event.cost() >= selectors.leastCost()
            && occurredAtMs > EventTimes.MOST_SECONDS
            && occurredAtMs < LATEST_MS;
    return isFit ? event : new Check(selectors, timestampMs).checked(event);
  }

  /** Checks of an event that is probably unfit, which find out why. */
  private static final class Check {
    private final EventSelectors selectors;
    private final long timestampMs;

    /**
     * @param timestampMs timestamp of the record, which replaces a missing event time
     */
    Check(EventSelectors selectors, long timestampMs) {
      this.selectors = selectors;
      this.timestampMs = timestampMs;
    }

    Event checked(Event event) throws UnreadableEventException {
      long occurredAtMs = event.occurredAtMs();
      if (occurredAtMs == timestampMs && timestampMs < 0) throw timeless();
      if (event.userId().isEmpty()) throw missing(Role.USER);
      if (event.action().isEmpty()) throw missing(Role.ACTION);
      if (event.cost() < selectors.leastCost()) {
        throw invalid(
            nameOf(selectors, Role.COST)
                + " must be at least "
                + selectors.leastCost()
                + " ("
                + Keys.EVENT_COST_MIN
                + "): "
                + event.cost());
      }
      checkTime(occurredAtMs);
      return event;
    }

    private UnreadableEventException timeless() {
      return invalid(
          nameOf(selectors, Role.TIME)
              + " is missing, and the record has no timestamp to use instead: "
              + timestampMs);
    }

    private void checkTime(long occurredAtMs) throws UnreadableEventException {
      if (occurredAtMs < 0 || occurredAtMs >= LATEST_MS) {
        throw wrongTime(" must be epoch milliseconds in the years 1970 to 2200: ", occurredAtMs);
      }
      // The unit is that of times in events; a record's timestamp is always in milliseconds.
      boolean isInAnyUnit =
          selectors.times().unit() == EventTimes.Unit.AUTO || occurredAtMs == timestampMs;
      if (isInAnyUnit && EventTimes.looksLikeSeconds(occurredAtMs)) {
        throw wrongTime(" looks like seconds and must be epoch milliseconds: ", occurredAtMs);
      }
    }

    private UnreadableEventException wrongTime(String why, long occurredAtMs) {
      boolean standsIn = occurredAtMs == timestampMs;
      String which = standsIn ? ", or the record's timestamp in its place," : "";
      return invalid(nameOf(selectors, Role.TIME) + which + why + occurredAtMs);
    }

    private UnreadableEventException missing(Role role) {
      return new UnreadableEventException(
          FaultKind.MISSING_FIELD, nameOf(selectors, role) + " is missing");
    }
  }

  private static UnreadableEventException invalid(String why) {
    return new UnreadableEventException(FaultKind.INVALID_FIELD, why);
  }

  /** Stops the waiting of all threads that wait for a schema, because the application ends. */
  public void stopWaiting() {
    decoders.forEach(TopicDecoder::stopWaiting);
  }

  /**
   * Returns the name of a field of the events of an input topic for error messages: its selector,
   * or its role, such as "the user", if there is none.
   */
  public String nameOf(Role role, Origin origin) {
    return nameOf(decoders.get(inputOf(origin)).selectors(), role);
  }

  private static String nameOf(EventSelectors selectors, Role role) {
    return selectors.text(role).isEmpty() ? "the " + role.label() : selectors.text(role);
  }

  /**
   * Returns the index of the input topic that an event's origin, {@code topic-partition-offset},
   * names. If the origin names no input topic, the result is 0: the topic may have been an input
   * before, and any producer may write a header with an origin.
   */
  public static int inputOf(List<String> topics, Origin origin) {
    for (int i = 1; i < topics.size(); i++) {
      if (isOf(topics.get(i), origin.toString())) return i;
    }
    return 0;
  }

  /**
   * Returns whether an origin consists of the topic, a partition and an offset. The name of a
   * longer topic may begin with the topic's name and contain numbers, too.
   */
  private static boolean isOf(String topic, String origin) {
    if (!origin.startsWith(topic)) return false;
    int offset = afterNumber(origin, topic.length());
    return offset > 0 && afterNumber(origin, offset) == origin.length();
  }

  /** Returns the index after a dash and digits that begin at an index; -1 if there are none. */
  private static int afterNumber(String text, int from) {
    int at = from + 1;
    if (at >= text.length() || text.charAt(from) != '-') return -1;
    while (at < text.length() && Character.isDigit(text.charAt(at))) at++;
    return at == from + 1 ? -1 : at;
  }
}
