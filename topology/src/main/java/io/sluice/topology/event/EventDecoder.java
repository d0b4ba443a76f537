package io.sluice.topology.event;

import io.sluice.limiter.Arrival;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Keys;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.Role;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Decoder of events from record values. The first byte of a value tells the format: JSON, Avro's
 * single-object encoding, or Confluent's Avro format. Validates the fields that metering needs.
 * Safe for many threads.
 */
public final class EventDecoder {
  private static final int AVRO = 0xC3;
  private static final int JSON = '{';

  /** Byte order mark in UTF-8, which may precede JSON. */
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private static final int CONFLUENT = 0x00;
  private static final long LATEST_MS = Arrival.LATEST_MICROS / 1_000;

  /**
   * Lowest time with ten digits: the year 2001 in seconds, but January 1970 in milliseconds. A time
   * of ten digits is refused, because the producer probably used seconds.
   */
  private static final long LEAST_SECONDS = 1_000_000_000L;

  private static final long MOST_SECONDS = 9_999_999_999L;

  private final FieldPaths paths;
  private final List<String> inputs;
  private final boolean topicIsAction;
  private final long leastCost;
  private final JsonEvents json;
  private final AvroEvents avro;
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
   * @param inputs input topics
   * @param leastCost lowest valid cost of an event
   */
  public EventDecoder(FieldPaths paths, Schemas schemas, List<String> inputs, long leastCost) {
    this(paths, schemas, inputs, leastCost, value -> value);
  }

  private EventDecoder(
      FieldPaths paths, Schemas schemas, List<String> inputs, long leastCost, Part part) {
    this.part = part;
    this.paths = paths;
    this.inputs = List.copyOf(inputs);
    topicIsAction = paths.of(Role.ACTION).isEmpty();
    this.leastCost = leastCost;
    json = new JsonEvents(paths);
    avro = new AvroEvents(schemas);
  }

  /**
   * Returns a decoder for records of any topic whose values contain a {@code UserAction}.
   *
   * @param part extracts the bytes of the {@code UserAction} from a value
   * @param leastCost lowest valid cost of an event
   */
  public static EventDecoder ofPart(Part part, long leastCost) {
    return new EventDecoder(
        FieldPaths.DEFAULT, SchemaConfig.NONE.open(FieldPaths.DEFAULT), List.of(), leastCost, part);
  }

  /**
   * Decodes and validates the event in the value of a record.
   *
   * @param origin coordinates of the record, which name the topic and replace a missing event id
   * @param timestampMs timestamp of the record, which replaces a missing event time
   * @throws SchemasUnavailableException if the source of schemas does not answer
   */
  public Event decode(byte[] value, Origin origin, long timestampMs)
      throws UnreadableEventException {
    if (value == null || value.length == 0)
      throw new UnreadableEventException(FaultKind.EMPTY, "the value is empty");
    try {
      Event view = read(part.of(value), origin, timestampMs);
      if (view.occurredAtMs() == timestampMs && timestampMs < 0) throw timeless(timestampMs);
      return checked(view, timestampMs);
    } catch (SchemasUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      // An attacker may send a value that crashes a parser, and processing must go on.
      throw new UnreadableEventException("unreadable: " + e);
    }
  }

  /** Returns the time of a record's event; empty if the record is not a valid event. */
  public OptionalLong occurredAtMs(ConsumerRecord<?, byte[]> record) {
    try {
      return OptionalLong.of(
          decode(record.value(), Origin.UNKNOWN, record.timestamp()).occurredAtMs());
    } catch (UnreadableEventException e) {
      return OptionalLong.empty();
    }
  }

  private Event read(byte[] value, Origin origin, long timestampMs)
      throws UnreadableEventException {
    int begin = jsonBegin(value);
    int format = value[begin] & 0xff;
    String topic = inputs.isEmpty() ? "" : inputs.get(OutputTopics.inputOf(inputs, origin));
    StandIns standIns = new StandIns(origin, timestampMs, topic, topicIsAction ? topic : "");
    return switch (format) {
      case AVRO -> avro.singleObject(value, standIns);
      case JSON -> json.read(value, begin, standIns);
      case CONFLUENT -> avro.confluent(value, standIns);
      default ->
          throw new UnreadableEventException(
              FaultKind.UNKNOWN_FORMAT,
              String.format(
                  "unknown format: the first byte is %02X, not C3 (Avro) or { (JSON)", format));
    };
  }

  /**
   * Returns the index of the opening brace of a JSON object, after white space and byte order
   * marks; 0 if the value is not JSON.
   */
  private static int jsonBegin(byte[] value) {
    int at = 0;
    while (at < value.length && value[at] != JSON) {
      if (isBlank(value[at])) at++;
      else if (Arrays.mismatch(value, at, Math.min(at + 3, value.length), MARK, 0, 3) < 0) at += 3;
      else return 0;
    }
    return at < value.length ? at : 0;
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }

  private Event checked(Event view, long timestampMs) throws UnreadableEventException {
    if (view.userId().isEmpty()) throw missing(Role.USER);
    if (view.action().isEmpty()) throw missing(Role.ACTION);
    if (view.cost() < leastCost) {
      throw invalid(
          nameOf(Role.COST)
              + " must be at least "
              + leastCost
              + " ("
              + Keys.EVENT_COST_MIN
              + "): "
              + view.cost());
    }
    checkTime(view.occurredAtMs(), timestampMs);
    return view;
  }

  private UnreadableEventException timeless(long timestampMs) {
    return invalid(
        nameOf(Role.TIME)
            + " is missing, and the record has no timestamp to use instead: "
            + timestampMs);
  }

  private void checkTime(long occurredAtMs, long timestampMs) throws UnreadableEventException {
    if (occurredAtMs < 0 || occurredAtMs >= LATEST_MS) {
      throw wrongTime(
          " must be epoch milliseconds in the years 1970 to 2200: ", occurredAtMs, timestampMs);
    }
    if (occurredAtMs >= LEAST_SECONDS && occurredAtMs <= MOST_SECONDS) {
      throw wrongTime(
          " looks like seconds and must be epoch milliseconds: ", occurredAtMs, timestampMs);
    }
  }

  private UnreadableEventException wrongTime(String why, long occurredAtMs, long timestampMs) {
    boolean standsIn = occurredAtMs == timestampMs;
    String which = standsIn ? ", or the record's timestamp in its place," : "";
    return invalid(nameOf(Role.TIME) + which + why + occurredAtMs);
  }

  private static UnreadableEventException invalid(String why) {
    return new UnreadableEventException(FaultKind.INVALID_FIELD, why);
  }

  private UnreadableEventException missing(Role role) {
    return new UnreadableEventException(FaultKind.MISSING_FIELD, nameOf(role) + " is missing");
  }

  /** Stops the waiting of all threads that wait for a schema, because the application ends. */
  public void stopWaiting() {
    avro.stopWaiting();
  }

  /**
   * Returns the name of an event field for error messages: its path in events, or its role, such as
   * "the user", if no path is configured.
   */
  public String nameOf(Role role) {
    return paths.of(role).isEmpty() ? "the " + role.label() : paths.of(role);
  }

  /**
   * Values from an event's Kafka record that replace fields that are missing in the event.
   *
   * @param origin coordinates of the record, which replace a missing event id
   * @param timestampMs timestamp of the record, which replaces a missing event time
   * @param topic input topic of the event
   * @param action replacement of a missing action; empty if events must have an action
   */
  record StandIns(Origin origin, long timestampMs, String topic, String action) {
    String idOr(String given) {
      return given.isEmpty() ? origin.toString() : given;
    }

    String actionOr(String given) {
      return given.isEmpty() ? action : given;
    }
  }
}
