package io.sluice.topology.intake;

import io.sluice.limiter.redis.Position;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.topology.redis.PendingVerdict;
import java.util.Optional;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Record on its way through the topology: its original bytes, which are never encoded again, and
 * the event decoded from them. It is decoded once, where its coordinates are known.
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

  /**
   * Returns the marker of a tick, which the shaper forwards to the meter. So both tick in a fixed
   * order, which two punctuations of Streams do not.
   */
  public static EventRecord tick() {
    return TICK;
  }

  public boolean isTick() {
    return this == TICK;
  }

  /** Sets the origin of an event that has waited and leaves without being decoded. */
  public void cameAs(Origin origin) {
    opening = new Opening.NotYet(origin);
  }

  /** Sets the decoded event, which can be metered. */
  public void opened(Event event, Origin origin, long timestampMs) {
    opening = new Opening.Read(event, origin, timestampMs);
  }

  /** Marks the record as one that cannot be metered. */
  public void faulty(UnreadableEventException why, Origin origin, long timestampMs) {
    opening = new Opening.Faulty(why.kind(), why.getMessage(), origin, timestampMs);
  }

  /** Marks a decoded event as faulty; origin and timestamp stay. */
  public void refused(UnreadableEventException why) {
    faulty(why, origin(), timestampMs());
  }

  /** Takes over the event and the question of the same record from the poll that brought it. */
  void openedAs(EventRecord same) {
    opening = same.opening;
    question = same.question;
  }

  /** Sets the question to Redis about this event, which may have been asked already. */
  public void asks(PendingVerdict asked) {
    question = asked;
  }

  public Optional<PendingVerdict> question() {
    return Optional.ofNullable(question);
  }

  /**
   * Marks the event as one that has waited to be metered, and is to be decoded once more before.
   */
  public void waited() {
    waited = true;
  }

  /** Sets the attempt and the due time of an event that has waited to be metered again. */
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
   * Sets the position by which Redis was asked about the event before, without an answer in time.
   */
  public void wasAskedAs(Position position) {
    askedAs = position;
  }

  /**
   * Returns the position by which Redis was asked before, for which it repeats its answer; none if
   * it was not asked.
   */
  public Position askedAs() {
    return askedAs;
  }

  /** Returns the number of the metering, 1 for the first. */
  public int attempt() {
    return attempt;
  }

  /** Returns the due time of an event that has waited to be metered, epoch milliseconds; else 0. */
  public long dueMs() {
    return dueMs;
  }

  /** Returns the original value; null for a record without one. */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * Returns the decoded event.
   *
   * @throws IllegalStateException if there is none
   */
  public Event event() {
    if (opening instanceof Opening.Read read) return read.event();
    throw new IllegalStateException("not an event: " + opening);
  }

  /** Returns the fault; empty if the record has none. */
  Optional<Opening.Faulty> fault() {
    return opening instanceof Opening.Faulty faulty ? Optional.of(faulty) : Optional.empty();
  }

  public boolean isFaulty() {
    return opening instanceof Opening.Faulty;
  }

  public boolean isOpened() {
    return !(opening instanceof Opening.NotYet);
  }

  /** Returns the record that the event first came in. */
  public Origin origin() {
    return opening.origin();
  }

  /** Returns the timestamp with which the record leaves. */
  public long timestampMs() {
    return opening.timestampMs();
  }

  /** Returns a serde that leaves the bytes as they are. */
  public static Serde<EventRecord> serde() {
    Deserializer<EventRecord> in = (topic, bytes) -> new EventRecord(bytes);
    Serializer<EventRecord> out = (topic, record) -> record.bytes();
    return Serdes.serdeFrom(out, in);
  }
}
