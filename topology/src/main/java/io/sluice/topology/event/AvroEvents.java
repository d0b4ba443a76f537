package io.sluice.topology.event;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.RecordReader;
import io.sluice.schemas.RecordView;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.UserActionView;
import io.sluice.topology.event.EventDecoder.StandIns;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Decoder of Avro events. The first bytes of a record's value name the schema: by a fingerprint in
 * Avro's single-object encoding, by a schema id in Confluent's format.
 */
final class AvroEvents {
  private static final int MARKER_BYTES = 2;
  private static final int SINGLE_OBJECT_BYTES = MARKER_BYTES + Long.BYTES;
  private static final int CONFLUENT_BYTES = 1 + Integer.BYTES;
  private static final VarHandle FINGERPRINT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle ID =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private final Schemas schemas;

  AvroEvents(Schemas schemas) {
    this.schemas = schemas;
  }

  /**
   * Decodes an event in Avro's single-object encoding, which begins with the bytes C3 01: a {@code
   * UserAction}, or a record of a schema in the schema folder.
   */
  Event singleObject(byte[] value, StandIns standIns) throws UnreadableEventException {
    try {
      Optional<RecordReader> known = knownByFingerprint(value);
      return known.isPresent()
          ? view(known.get(), value, SINGLE_OBJECT_BYTES, standIns)
          : new UserActionEvent(UserActionView.of(value), standIns);
    } catch (UndecodableException e) {
      throw new UnreadableEventException("bad Avro: " + e.getMessage());
    }
  }

  void stopWaiting() {
    schemas.stopWaiting();
  }

  private Optional<RecordReader> knownByFingerprint(byte[] value) {
    return value.length < SINGLE_OBJECT_BYTES || value[1] != 1
        ? Optional.empty()
        : schemas.byFingerprint((long) FINGERPRINT.get(value, MARKER_BYTES));
  }

  /**
   * Decodes an event in Confluent's format: a zero byte, four bytes of schema id, and the record.
   */
  Event confluent(byte[] value, StandIns standIns) throws UnreadableEventException {
    if (value.length < CONFLUENT_BYTES) {
      throw new UnreadableEventException(
          "too short for Confluent's format: " + value.length + " bytes of at least 5");
    }
    int id = (int) ID.get(value, 1);
    if (id < 0) {
      // A schema registry answers a request for a negative id as if its URL were wrong.
      throw new UnreadableEventException(
          "not in Confluent's format: no schema has the id "
              + Integer.toUnsignedString(id)
              + ", the highest is "
              + Integer.MAX_VALUE);
    }
    RecordReader reader = schemas.byId(id);
    try {
      return view(reader, value, CONFLUENT_BYTES, standIns);
    } catch (UndecodableException e) {
      throw new UnreadableEventException("bad Avro of schema " + id + ": " + e.getMessage());
    }
  }

  private static Event view(RecordReader reader, byte[] value, int offset, StandIns standIns) {
    return new RecordEvent(reader.read(value, offset, value.length - offset), standIns);
  }

  /**
   * Event decoded from a {@code UserAction}. The record's topic, partition and offset replace an
   * empty event id.
   */
  private record UserActionEvent(UserActionView read, StandIns standIns) implements Event {
    @Override
    public String eventId() {
      return standIns.idOr(read.eventId());
    }

    @Override
    public String userId() {
      return read.userId();
    }

    @Override
    public String action() {
      return standIns.actionOr(read.action());
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
    public String topic() {
      return standIns.topic();
    }

    @Override
    public String attribute(String name) {
      return read.attribute(name).orElse("");
    }
  }

  /**
   * Event decoded from a record of any other Avro schema. The record's topic, partition and offset
   * replace a missing event id, and the record's timestamp a missing event time.
   */
  private record RecordEvent(RecordView read, StandIns standIns) implements Event {
    @Override
    public String eventId() {
      return standIns.idOr(read.id());
    }

    @Override
    public String userId() {
      return read.user();
    }

    @Override
    public String action() {
      return standIns.actionOr(read.action());
    }

    @Override
    public long occurredAtMs() {
      return read.hasTime() ? read.timeMs() : standIns.timestampMs();
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
    public String topic() {
      return standIns.topic();
    }

    @Override
    public String attribute(String name) {
      return read.attribute(name);
    }
  }
}
