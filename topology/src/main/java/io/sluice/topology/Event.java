package io.sluice.topology;

import java.util.Optional;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * An event on its way through the topology: the bytes it came in, which are never encoded again,
 * and what was read from them. It is opened once, where its record's coordinates are known.
 */
final class Event {
  private static final EventView UNREADABLE = new UnreadableView();

  private final byte[] bytes;
  private EventView view = UNREADABLE;
  private String fault = "not opened";
  private DeadLetter.Reason faultKind = DeadLetter.Reason.UNDECODABLE;
  private String origin = "";
  private long recordTimestampMs;
  private Question question;
  private int attempt = 1;
  private long dueMs;

  /**
   * @param bytes the record's value as it came; null stays null
   */
  Event(byte[] bytes) {
    this.bytes = bytes;
  }

  /** An event that can be metered. */
  void opened(EventView seen, String from, long timestampMs) {
    view = seen;
    fault = "";
    origin = from;
    recordTimestampMs = timestampMs;
  }

  /** An event that cannot be metered, and what is wrong with it. */
  void faulty(UnreadableEventException why, String from, long timestampMs) {
    fault = why.getMessage();
    faultKind = why.reason();
    origin = from;
    recordTimestampMs = timestampMs;
  }

  /** What was read from the same bytes before, when the poll brought them. */
  void openedAs(Event same) {
    view = same.view;
    fault = same.fault;
    faultKind = same.faultKind;
    origin = same.origin;
    recordTimestampMs = same.recordTimestampMs;
    question = same.question;
  }

  /** Redis is to be asked about this event, or has been. */
  void asks(Question asked) {
    question = asked;
  }

  Optional<Question> question() {
    return Optional.ofNullable(question);
  }

  /** An event that has waited to be metered again. */
  void again(int nextAttempt, long wasDueMs) {
    attempt = nextAttempt;
    dueMs = wasDueMs;
  }

  /** 1 for the first metering. */
  int attempt() {
    return attempt;
  }

  /** When it was due to be metered again; 0 at its first metering. */
  long dueMs() {
    return dueMs;
  }

  /** As it came in; null for a record without a value. */
  byte[] bytes() {
    return bytes;
  }

  EventView view() {
    return view;
  }

  boolean isFaulty() {
    return !fault.isEmpty();
  }

  String fault() {
    return fault;
  }

  /** What sort of fault it is, if it is faulty. */
  DeadLetter.Reason faultKind() {
    return faultKind;
  }

  boolean isOpened() {
    return !origin.isEmpty();
  }

  /** The record it came in first, as topic-partition-offset. */
  String origin() {
    return origin;
  }

  /** The timestamp it leaves with: of the record it came in first, if that is one at all. */
  long recordTimestampMs() {
    return recordTimestampMs;
  }

  /** Keeps the bytes as they are, both ways. */
  static Serde<Event> serde() {
    Deserializer<Event> in = (topic, bytes) -> new Event(bytes);
    Serializer<Event> out = (topic, event) -> event.bytes();
    return Serdes.serdeFrom(out, in);
  }

  private static final class UnreadableView implements EventView {
    @Override
    public String eventId() {
      return "";
    }

    @Override
    public String userId() {
      return "";
    }

    @Override
    public String action() {
      return "";
    }

    @Override
    public long occurredAtMs() {
      return 0;
    }

    @Override
    public long cost() {
      return 0;
    }

    @Override
    public String target() {
      return "";
    }

    @Override
    public String attribute(String name) {
      return "";
    }
  }
}
