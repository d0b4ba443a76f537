package io.sluice.topology.intake;

import io.sluice.limiter.redis.Position;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.Origin;
import io.sluice.topology.event.UnreadableEventException;
import io.sluice.topology.redis.PendingVerdict;
import java.util.Optional;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * A record on its way through the topology: the bytes it came in, which are never encoded again,
 * and the event that was read from them. It is opened once, where its coordinates are known.
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
   * @param bytes the record's value as it came; null stays null
   */
  public EventRecord(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * No event, but the tick of the shaper, which it passes on to the meter: so both tick in one
   * order, which two punctuations of Streams do not.
   */
  public static EventRecord tick() {
    return TICK;
  }

  public boolean isTick() {
    return this == TICK;
  }

  /** It has waited, and leaves unopened: this is the record that it came in first. */
  public void cameAs(Origin origin) {
    opening = new Opening.NotYet(origin);
  }

  /** It is an event that can be metered. */
  public void opened(Event event, Origin origin, long timestampMs) {
    opening = new Opening.Read(event, origin, timestampMs);
  }

  /** It is nothing that can be metered. */
  public void faulty(UnreadableEventException why, Origin origin, long timestampMs) {
    opening = new Opening.Faulty(why.kind(), why.getMessage(), origin, timestampMs);
  }

  /** It is an event no more: something is found to be wrong with it. */
  public void refused(UnreadableEventException why) {
    faulty(why, origin(), timestampMs());
  }

  /** It is opened as the same record was before, when a poll brought it. */
  void openedAs(EventRecord same) {
    opening = same.opening;
    question = same.question;
  }

  /** Redis is to be asked about this event, or has been. */
  public void asks(PendingVerdict asked) {
    question = asked;
  }

  public Optional<PendingVerdict> question() {
    return Optional.ofNullable(question);
  }

  /** It has waited to be metered, and is opened once more before. */
  public void waited() {
    waited = true;
  }

  /** It has waited to be metered again. */
  public void again(int nextAttempt, long wasDueMs) {
    attempt = nextAttempt;
    dueMs = wasDueMs;
    waited = true;
  }

  /** Whether it has waited to be metered. */
  public boolean hasWaited() {
    return waited;
  }

  /** Redis was asked about it by this position before, and did not answer in time. */
  public void wasAskedAs(Position position) {
    askedAs = position;
  }

  /** The position by which Redis was asked about it before, and repeats its answer; or none. */
  public Position askedAs() {
    return askedAs;
  }

  /** 1 for the first metering. */
  public int attempt() {
    return attempt;
  }

  /** When it was due to be metered, if it has waited; else 0. */
  public long dueMs() {
    return dueMs;
  }

  /** As it came in; null for a record without a value. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * The event that was read.
   *
   * @throws IllegalStateException if none was
   */
  public Event event() {
    if (opening instanceof Opening.Read read) return read.event();
    throw new IllegalStateException("not an event: " + opening);
  }

  /** What is wrong with it, if anything is. */
  Optional<Opening.Faulty> fault() {
    return opening instanceof Opening.Faulty faulty ? Optional.of(faulty) : Optional.empty();
  }

  public boolean isFaulty() {
    return opening instanceof Opening.Faulty;
  }

  public boolean isOpened() {
    return !(opening instanceof Opening.NotYet);
  }

  /** The record it came in first. */
  public Origin origin() {
    return opening.origin();
  }

  /** The timestamp it leaves with. */
  public long timestampMs() {
    return opening.timestampMs();
  }

  /** Keeps the bytes as they are, both ways. */
  public static Serde<EventRecord> serde() {
    Deserializer<EventRecord> in = (topic, bytes) -> new EventRecord(bytes);
    Serializer<EventRecord> out = (topic, record) -> record.bytes();
    return Serdes.serdeFrom(out, in);
  }
}
