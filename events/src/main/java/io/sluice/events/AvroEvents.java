package io.sluice.events;

import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.events.ValueReader.Read;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.DuplicateNameException;
import io.sluice.schemas.PathNode;
import io.sluice.schemas.RecordReader;
import io.sluice.schemas.RecordView;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.UserActionView;
import io.sluice.schemas.Values;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Decoder of events in Avro's single-object encoding, in which a fingerprint before the body names
 * the schema.
 */
final class AvroEvents {
  private static final int MARKER_BYTES = 2;
  private static final int SINGLE_OBJECT_BYTES = MARKER_BYTES + Long.BYTES;
  private static final VarHandle FINGERPRINT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final Schemas schemas;
  private final EventSelectors selectors;
  private final Optional<EventSelectors> ofUserActions;

  AvroEvents(Schemas schemas, EventSelectors selectors) {
    this.schemas = schemas;
    this.selectors = selectors;
    ofUserActions =
        selectors.isDefault() ? Optional.empty() : Optional.of(selectors.ofUserActions());
  }

  /**
   * Decodes an event in Avro's single-object encoding, which begins with the bytes C3 01: a {@code
   * UserAction}, or a record of a schema in the schema folder.
   */
  Event singleObject(RawRecord record, byte[] value, InputTopic topic)
      throws UnreadableEventException {
    try {
      Optional<RecordReader> known = knownByFingerprint(value);
      if (known.isPresent()) {
        Read read = read(known.get(), value, SINGLE_OBJECT_BYTES);
        return new SelectedEvent(selectors, record, topic, read);
      }
      UserActionView view = UserActionView.of(value);
      return ofUserActions.isPresent()
          ? selected(view, record, topic)
          : new UserActionEvent(view, record, topic);
    } catch (DuplicateNameException e) {
      throw new UnreadableEventException(FaultKind.DUPLICATE_FIELD, e.getMessage());
    } catch (UndecodableException e) {
      throw new UnreadableEventException("bad Avro: " + e.getMessage());
    }
  }

  private Optional<RecordReader> knownByFingerprint(byte[] value) {
    return value.length < SINGLE_OBJECT_BYTES || value[1] != 1
        ? Optional.empty()
        : schemas.byFingerprint((long) FINGERPRINT.get(value, MARKER_BYTES));
  }

  private static Read read(RecordReader reader, byte[] value, int offset) {
    RecordView view = reader.read(value, offset, value.length - offset);
    return new Read(view.values(), view::attribute);
  }

  private Event selected(UserActionView view, RawRecord record, InputTopic topic)
      throws UnreadableEventException {
    EventSelectors own = ofUserActions.orElseThrow();
    Values values = own.tree().values();
    for (String name : own.tree().root().names()) take(name, view, own.tree().root(), values);
    Read read = new Read(values, name -> view.attribute(name).orElse(""));
    return new SelectedEvent(own, record, topic, read);
  }

  private static void take(String name, UserActionView view, PathNode root, Values values) {
    PathNode node = root.child(name);
    switch (name) {
      case "eventId" -> values.put(node, view.eventId());
      case "userId" -> values.put(node, view.userId());
      case "action" -> values.put(node, view.action());
      case "occurredAt" -> values.put(node, new Values.Timestamp(view.occurredAtMs(), 1, false));
      case "cost" -> values.put(node, view.cost());
      case "target" -> {
        if (view.hasTarget()) values.put(node, view.target());
      }
      case "attributes" -> {
        for (String each : node.names()) {
          if (view.isAmbiguous(each)) throw new DuplicateNameException(node.child(each).path());
          view.attribute(each).ifPresent(text -> values.put(node.child(each), text));
        }
      }
      default -> {} // a UserAction has no other field
    }
  }

  /**
   * Event decoded from a {@code UserAction} with the default selectors. The record's topic,
   * partition and offset replace an empty event id.
   */
  private record UserActionEvent(UserActionView read, RawRecord record, InputTopic input)
      implements Event {
    @Override
    public String eventId() {
      String id = read.eventId();
      return id.isEmpty() ? record.origin().toString() : id;
    }

    @Override
    public String userId() {
      return read.userId();
    }

    @Override
    public String action() {
      return read.action().isEmpty() ? input.action() : read.action();
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
      return input.name();
    }

    @Override
    public String attribute(String name) {
      return read.attribute(name).orElse("");
    }
  }

  /**
   * Reader of the bodies of an Avro schema.
   *
   * @param records reader of bodies, without the checks of an event
   */
  record Reader(RecordReader records) implements ValueReader {
    @Override
    public String format() {
      return "Avro";
    }

    @Override
    public Read read(FramedValue value) {
      return AvroEvents.read(records, value.bytes(), value.offset());
    }
  }
}
