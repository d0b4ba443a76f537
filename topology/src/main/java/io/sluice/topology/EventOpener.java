package io.sluice.topology;

import io.sluice.schemas.Role;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Opens each event of the input topics: decodes and checks it, and gives Streams its time. From
 * then on Streams' own stream time is the partition's clock.
 */
final class EventOpener implements TimestampExtractor {
  /*
   * Why here: the extractor is the first of our code that sees a record's coordinates, which stand in
   * for a missing id and time; and the time it returns is what Streams keeps in the committed offset's
   * metadata, so that the clock of a partition survives restarts and never goes back, without a store.
   */
  /** Brokers take timestamps that are an hour ahead, and no two clocks are quite the same. */
  static final long SURELY_TAKEN_AHEAD_MS = 1_800_000;

  private final EventDecoder decoder;
  private final InstantSource wallClock;
  private final long maxAheadMs;
  private final Supplier<Prefetched> prefetched;
  private final EventRoom room;

  /** Where no event is too large. */
  EventOpener(
      EventDecoder decoder,
      InstantSource wallClock,
      Duration maxAhead,
      Supplier<Prefetched> prefetched) {
    this(decoder, wallClock, maxAhead, prefetched, EventRoom.endless());
  }

  EventOpener(
      EventDecoder decoder,
      InstantSource wallClock,
      Duration maxAhead,
      Supplier<Prefetched> prefetched,
      EventRoom room) {
    this.room = room;
    this.decoder = decoder;
    this.wallClock = wallClock;
    maxAheadMs = maxAhead.toMillis();
    this.prefetched = prefetched;
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMs) {
    Event event = (Event) record.value();
    Optional<Event> same = prefetched(record);
    if (same.isPresent()) event.openedAs(same.get());
    else open(event, record);
    // A faulty event says nothing about time. Streams would drop a record whose time is negative.
    return event.isFaulty() ? Math.max(0, partitionTimeMs) : event.view().occurredAtMs();
  }

  private Optional<Event> prefetched(ConsumerRecord<?, ?> record) {
    Prefetched mine = prefetched.get();
    if (mine.isEmpty()) return Optional.empty();
    return mine.take(new TopicPartition(record.topic(), record.partition()), record.offset());
  }

  /** A record's coordinates: topic-partition-offset. */
  static String origin(ConsumerRecord<?, ?> record) {
    return record.topic() + "-" + record.partition() + "-" + record.offset();
  }

  long wallMs() {
    return wallClock.millis();
  }

  /**
   * Decodes and checks an event, or says what is wrong with it.
   *
   * @throws SchemasUnavailableException if nobody can say yet whether anything is
   */
  void open(Event event, ConsumerRecord<?, ?> record) {
    open(event, origin(record), record.timestamp(), maxAheadMs);
    refuseIfTooLarge(event, record, room);
  }

  /**
   * The same for an event that was admitted before, perhaps by an instance whose clock is ahead of
   * this one's: its time is not looked at again.
   */
  void openAdmitted(Event event, ConsumerRecord<?, ?> record, EventRoom delayedRoom) {
    open(event, origin(record), record.timestamp(), Long.MAX_VALUE);
    refuseIfTooLarge(event, record, delayedRoom);
  }

  private static void refuseIfTooLarge(Event event, ConsumerRecord<?, ?> record, EventRoom room) {
    if (event.isFaulty()) return;
    room.lacking(event, record)
        .map(why -> new UnreadableEventException(DeadLetter.Reason.TOO_LARGE, why))
        .ifPresent(why -> event.faulty(why, event.origin(), event.recordTimestampMs()));
  }

  private void open(Event event, String origin, long timestampMs, long mostAheadMs) {
    long wallMs = wallClock.millis();
    try {
      EventView view = decoder.decode(event.bytes(), origin, timestampMs);
      long aheadMs = view.occurredAtMs() - wallMs;
      if (aheadMs > mostAheadMs) throw inFuture(aheadMs);
      event.opened(view, origin, stampMs(timestampMs, wallMs, view.occurredAtMs()));
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, stampMs(timestampMs, wallMs, wallMs));
    }
  }

  /**
   * The timestamp that a record leaves with: its own, or another if a client or a broker would
   * refuse that. A producer need not give a record any, which is -1, and some give it others that
   * no clock has shown.
   */
  private long stampMs(long timestampMs, long wallMs, long occurredAtMs) {
    long latestMs = wallMs + SURELY_TAKEN_AHEAD_MS;
    if (timestampMs >= 0 && timestampMs <= latestMs) return timestampMs;
    return Math.min(occurredAtMs, wallMs);
  }

  private UnreadableEventException inFuture(long aheadMs) {
    return new UnreadableEventException(
        DeadLetter.Reason.IN_FUTURE,
        decoder.nameOf(Role.TIME)
            + " is "
            + aheadMs
            + " ms in the future, at most "
            + maxAheadMs
            + " is accepted");
  }
}
