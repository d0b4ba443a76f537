package io.sluice.topology.intake;

import io.sluice.limiter.redis.Position;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.topology.redis.PendingVerdict;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Value of a record on its way through the topology: the original bytes, which are never encoded
 * again, and the event decoded from them. The event is decoded when the record enters the topology,
 * where the record's coordinates are known, and again after the event has waited in a store.
 */
public final class EventRecord {
  private static final EventRecord TICK = new EventRecord(null);

  private final byte[] bytes;
  private Opening opening = Opening.NOT_YET;
  private PendingVerdict question;
  private int attempt = 1;
  private long dueMs;
  private Position askedAs = Position.NONE;
  private boolean waited;

  /**
   * @param bytes original value of the record; null stays null
   */
  public EventRecord(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the value of a record that stands for a batch of events. */
  static EventRecord of(EventBatch batch) {
    EventRecord record = new EventRecord(null);
    record.opening = new Opening.Batch(batch);
    return record;
  }

  /** Returns the batch of events that the record stands for; empty if it is a single event. */
  public Optional<EventBatch> batch() {
    return opening instanceof Opening.Batch of ? Optional.of(of.events()) : Optional.empty();
  }

  /**
   * Returns the marker that the shaper node forwards to the meter node at each punctuation. So the
   * shaper node always releases its events before the meter node, while two separate punctuations
   * of Kafka Streams would have no fixed order.
   */
  public static EventRecord tick() {
    return TICK;
  }

  public boolean isTick() {
    return this == TICK;
  }

  /** Sets the origin of an event that has waited and leaves without being decoded again. */
  public void cameAs(Origin origin) {
    opening = new Opening.NotYet(origin);
  }

  /** Sets the decoded event, which can be metered. */
  public void opened(Event event, Origin origin, long timestampMs) {
    opening = new Opening.Read(event, origin, timestampMs);
  }

  /** Marks the record as faulty: it cannot be metered, and becomes a dead letter. */
  public void faulty(UnreadableEventException why, Origin origin, long timestampMs) {
    opening = new Opening.Faulty(why.kind(), why.getMessage(), origin, timestampMs);
  }

  /** Marks the record as an order about waiting events, which is no event. */
  void control(Origin origin, long timestampMs) {
    opening = new Opening.Control(origin, timestampMs);
  }

  /** Returns whether the record is an order about waiting events. */
  public boolean isControl() {
    return opening instanceof Opening.Control;
  }

  /** Marks a decoded event as faulty, and keeps its origin and timestamp. */
  public void refused(UnreadableEventException why) {
    faulty(why, origin(), timestampMs());
  }

  /** Sets the question to Redis about this event. Redis may have answered the question already. */
  public void asks(PendingVerdict asked) {
    question = asked;
  }

  public Optional<PendingVerdict> question() {
    return Optional.ofNullable(question);
  }

  /**
   * Marks the event as one that has waited to be metered. The meter node must decode it again
   * before it meters the event.
   */
  public void waited() {
    waited = true;
  }

  /**
   * Sets the number of the next metering and the due time of an event that has waited to be
   * metered.
   *
   * @param nextAttempt number of the next metering; 1 is the first metering
   * @param wasDueMs due time, epoch milliseconds
   */
  public void again(int nextAttempt, long wasDueMs) {
    attempt = nextAttempt;
    dueMs = wasDueMs;
    waited = true;
  }

  /** Returns whether the event has waited to be metered. */
  public boolean hasWaited() {
    return waited;
  }

  /**
   * Sets the sequence and offset by which Redis was asked about the event before, without an answer
   * in time.
   */
  public void wasAskedAs(Position position) {
    askedAs = position;
  }

  /**
   * Returns the sequence and offset by which Redis was asked about the event before, and by which
   * Redis repeats its answer; {@link Position#NONE} if Redis was not asked.
   */
  public Position askedAs() {
    return askedAs;
  }

  /** Returns the number of the event's current metering; 1 is the first metering. */
  public int attempt() {
    return attempt;
  }

  /** Returns the due time of an event that has waited to be metered, epoch milliseconds; else 0. */
  public long dueMs() {
    return dueMs;
  }

  /**
   * Returns the value of the Kafka record as its producer wrote it, not decoded; null for a record
   * without a value.
   */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Returns the decoded event.
   *
   * @throws IllegalStateException if the record is faulty or not decoded yet
   */
  public Event event() {
    if (opening instanceof Opening.Read read) return read.event();
    throw new IllegalStateException("not an event: " + opening);
  }

  /** Returns the reason why the record cannot be metered; empty if it is not faulty. */
  Optional<Opening.Faulty> fault() {
    return opening instanceof Opening.Faulty faulty ? Optional.of(faulty) : Optional.empty();
  }

  /** Returns the error of a faulty record; empty if the record is not faulty. */
  public Optional<String> error() {
    return fault().map(Opening.Faulty::fault);
  }

  /** Returns the kind of the error of a faulty record; empty if the record is not faulty. */
  public Optional<FaultKind> errorKind() {
    return fault().map(Opening.Faulty::kind);
  }

  public boolean isFaulty() {
    return opening instanceof Opening.Faulty;
  }

  public boolean isOpened() {
    return !(opening instanceof Opening.NotYet);
  }

  /** Returns the coordinates of the record that the event first came in. */
  public Origin origin() {
    return opening.origin();
  }

  /** Returns the timestamp with which the record leaves the topology, epoch milliseconds. */
  public long timestampMs() {
    return opening.timestampMs();
  }

  /**
   * Returns a serde that keeps the original bytes and decodes nothing. Headers that are a batch
   * become the value.
   */
  public static Serde<EventRecord> serde() {
    Serializer<EventRecord> out = (topic, record) -> record.bytes();
    return Serdes.serdeFrom(out, new Reader());
  }

  private static final class Reader implements Deserializer<EventRecord> {
    @Override
    public EventRecord deserialize(String topic, byte[] bytes) {
      return new EventRecord(bytes);
    }

    @Override
    public EventRecord deserialize(String topic, Headers headers, byte[] bytes) {
      return headers instanceof EventBatch batch ? of(batch) : new EventRecord(bytes);
    }
  }

  /**
   * Result of decoding a record's value: not decoded yet, an event, an order, faulty, or a batch.
   */
  sealed interface Opening {
    /** Result for a record that is not decoded yet and has no known origin. */
    Opening NOT_YET = new NotYet(Origin.UNKNOWN);

    /** Returns the coordinates of the record that the event first came in. */
    Origin origin();

    /**
     * Returns the timestamp with which the record leaves the topology, epoch milliseconds: that of
     * the event's first record, if it is valid.
     */
    long timestampMs();

    /** The record's value has not been decoded yet. */
    record NotYet(Origin origin) implements Opening {
      @Override
      public long timestampMs() {
        return 0;
      }
    }

    /** The record's value has been decoded to a valid event, which can be metered. */
    record Read(Event event, Origin origin, long timestampMs) implements Opening {}

    /** The record stands for a batch of events. */
    record Batch(EventBatch events) implements Opening {
      @Override
      public Origin origin() {
        return Origin.UNKNOWN;
      }

      @Override
      public long timestampMs() {
        return 0;
      }
    }

    /** The record is an order about waiting events. */
    record Control(Origin origin, long timestampMs) implements Opening {}

    /** The record cannot be metered and becomes a dead letter, with the fault as its reason. */
    record Faulty(FaultKind kind, String fault, Origin origin, long timestampMs)
        implements Opening {}
  }
}
