package io.sluice.topology;

import io.sluice.limiter.Arrival;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.UserActionView;

/** Reads events whose first byte tells their format, and checks what metering relies on. */
final class EventDecoder {
  private static final int AVRO = 0xC3;
  private static final int JSON = '{';
  private static final int CONFLUENT = 0x00;
  private static final long LATEST_MS = Arrival.LATEST_MICROS / 1_000;

  private final JsonEvents json = new JsonEvents();

  /**
   * Decodes one value.
   *
   * @param origin the record's coordinates, which stand in for a missing id
   * @param timestampMs the record's timestamp, which stands in for a missing time
   */
  EventView decode(byte[] value, String origin, long timestampMs) throws UnreadableEventException {
    if (value == null || value.length == 0)
      throw new UnreadableEventException(DeadLetter.Reason.EMPTY, "the value is empty");
    try {
      return checked(read(value, origin, timestampMs));
    } catch (RuntimeException e) {
      // Whatever a parser throws at bytes made to break it, the stream must go on.
      throw new UnreadableEventException("unreadable: " + e);
    }
  }

  private EventView read(byte[] value, String origin, long timestampMs)
      throws UnreadableEventException {
    int format = value[0] & 0xff;
    return switch (format) {
      case AVRO -> avro(value, origin);
      case JSON -> json.read(value, origin, timestampMs);
      case CONFLUENT ->
          throw new UnreadableEventException(
              DeadLetter.Reason.UNKNOWN_FORMAT,
              "Confluent wire format needs a schema source, none is set");
      default ->
          throw new UnreadableEventException(
              DeadLetter.Reason.UNKNOWN_FORMAT,
              String.format(
                  "unknown format: the first byte is %02X, not C3 (Avro) or { (JSON)", format));
    };
  }

  private static EventView avro(byte[] value, String origin) throws UnreadableEventException {
    try {
      return new AvroView(UserActionView.of(value), origin);
    } catch (UndecodableException e) {
      throw new UnreadableEventException("bad Avro: " + e.getMessage());
    }
  }

  private static EventView checked(EventView view) throws UnreadableEventException {
    if (view.userId().isEmpty())
      throw new UnreadableEventException(DeadLetter.Reason.MISSING_FIELD, "userId is missing");
    if (view.action().isEmpty())
      throw new UnreadableEventException(DeadLetter.Reason.MISSING_FIELD, "action is missing");
    if (view.cost() < 0) {
      throw new UnreadableEventException(
          DeadLetter.Reason.INVALID_FIELD, "cost must be at least 0: " + view.cost());
    }
    long occurredAtMs = view.occurredAtMs();
    if (occurredAtMs < 0 || occurredAtMs >= LATEST_MS) {
      throw new UnreadableEventException(
          DeadLetter.Reason.INVALID_FIELD,
          "occurredAt must be epoch milliseconds in the years 1970 to 2200: " + occurredAtMs);
    }
    return view;
  }

  /** An Avro event; its coordinates stand in for an empty id. */
  private record AvroView(UserActionView read, String origin) implements EventView {
    @Override
    public String eventId() {
      return read.eventId().isEmpty() ? origin : read.eventId();
    }

    @Override
    public String userId() {
      return read.userId();
    }

    @Override
    public String action() {
      return read.action();
    }

    @Override
    public long occurredAtMs() {
      return read.occurredAtMs();
    }

    @Override
    public long cost() {
      return read.cost();
    }

    @Override
    public String target() {
      return read.target();
    }

    @Override
    public String attribute(String name) {
      return read.attribute(name).orElse("");
    }
  }
}
