package io.sluice.topology;

import io.sluice.limiter.Arrival;
import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.Role;

/**
 * Reads events whose first byte tells their format, and checks what metering relies on. Safe for
 * many threads.
 */
final class EventDecoder {
  private static final int AVRO = 0xC3;
  private static final int JSON = '{';
  private static final int CONFLUENT = 0x00;
  private static final long LATEST_MS = Arrival.LATEST_MICROS / 1_000;

  private final FieldPaths paths;
  private final JsonEvents json;
  private final AvroEvents avro;

  EventDecoder(FieldPaths paths, Schemas schemas) {
    this.paths = paths;
    json = new JsonEvents(paths);
    avro = new AvroEvents(schemas);
  }

  /**
   * Decodes one value.
   *
   * @param origin the record's coordinates, which stand in for a missing id
   * @param timestampMs the record's timestamp, which stands in for a missing time
   * @throws SchemasUnavailableException if nobody can say yet what the value is
   */
  EventView decode(byte[] value, String origin, long timestampMs) throws UnreadableEventException {
    if (value == null || value.length == 0)
      throw new UnreadableEventException(DeadLetter.Reason.EMPTY, "the value is empty");
    try {
      EventView view = read(value, origin, timestampMs);
      if (view.occurredAtMs() == timestampMs && timestampMs < 0) throw timeless(timestampMs);
      return checked(view);
    } catch (SchemasUnavailableException e) {
      throw e;
    } catch (RuntimeException e) {
      // Whatever a parser throws at bytes made to break it, the stream must go on.
      throw new UnreadableEventException("unreadable: " + e);
    }
  }

  private EventView read(byte[] value, String origin, long timestampMs)
      throws UnreadableEventException {
    int format = value[0] & 0xff;
    return switch (format) {
      case AVRO -> avro.singleObject(value, origin, timestampMs);
      case JSON -> json.read(value, origin, timestampMs);
      case CONFLUENT -> avro.confluent(value, origin, timestampMs);
      default ->
          throw new UnreadableEventException(
              DeadLetter.Reason.UNKNOWN_FORMAT,
              String.format(
                  "unknown format: the first byte is %02X, not C3 (Avro) or { (JSON)", format));
    };
  }

  private EventView checked(EventView view) throws UnreadableEventException {
    if (view.userId().isEmpty()) throw missing(Role.USER);
    if (view.action().isEmpty()) throw missing(Role.ACTION);
    if (view.cost() < 0) {
      throw new UnreadableEventException(
          DeadLetter.Reason.INVALID_FIELD,
          nameOf(Role.COST) + " must be at least 0: " + view.cost());
    }
    long occurredAtMs = view.occurredAtMs();
    if (occurredAtMs < 0 || occurredAtMs >= LATEST_MS) {
      throw new UnreadableEventException(
          DeadLetter.Reason.INVALID_FIELD,
          nameOf(Role.TIME)
              + " must be epoch milliseconds in the years 1970 to 2200: "
              + occurredAtMs);
    }
    return view;
  }

  private UnreadableEventException timeless(long timestampMs) {
    return new UnreadableEventException(
        DeadLetter.Reason.INVALID_FIELD,
        nameOf(Role.TIME)
            + " is missing, and the record has no timestamp that could stand in: "
            + timestampMs);
  }

  private UnreadableEventException missing(Role role) {
    return new UnreadableEventException(
        DeadLetter.Reason.MISSING_FIELD, nameOf(role) + " is missing");
  }

  /** Lets go of whoever waits to decode an event: the application ends. */
  void stopWaiting() {
    avro.stopWaiting();
  }

  /** What the field is called that has a role: by its path, if events have it at all. */
  String nameOf(Role role) {
    return paths.of(role).isEmpty() ? "the " + role.label() : paths.of(role);
  }
}
