package io.sluice.topology.intake;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.schemas.Role;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import io.sluice.topology.event.EventDecoder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Timestamp extractor of the input topics, which decodes and validates each event and gives Streams
 * its time. So Streams' stream time is the clock of the partition.
 */
public final class EventOpener implements TimestampExtractor {
  /*
   * The extractor is the first code of Sluice that sees a record's coordinates and timestamp, which
   * replace a missing id and time. Streams stores the time that it returns in the metadata of the
   * committed offset, so the clock of a partition survives restarts and never goes back, without a
   * store.
   */
  private final EventDecoder decoder;
  private final InstantSource wallClock;
  private final long maxAheadMs;
  private final ThreadLocal<Prefetched> prefetched = ThreadLocal.withInitial(Prefetched::new);

  /** Whether any poll was prefetched so far; until then no thread looks for prefetched events. */
  private volatile boolean prefetches;

  /** Names of the attributes that limits count by. */
  private final Supplier<Set<String>> counted;

  private final Rooms rooms;
  private final Function<ConsumerRecord<?, ?>, Origin> origins;

  /** Creates an opener that accepts events of any size. */
  public EventOpener(EventDecoder decoder, InstantSource wallClock, Duration maxAhead) {
    this(decoder, wallClock, maxAhead, Origin::of);
  }

  /**
   * Creates an opener that accepts events of any size.
   *
   * @param origins returns the origin of a record of an input topic
   */
  public EventOpener(
      EventDecoder decoder,
      InstantSource wallClock,
      Duration maxAhead,
      Function<ConsumerRecord<?, ?>, Origin> origins) {
    this(decoder, wallClock, maxAhead, Set::of, Rooms.ENDLESS, origins);
  }

  /**
   * Size checks for events from an input topic, from the hop, and from the topic of delayed events.
   */
  private record Rooms(
      Supplier<EventRoom> input, Supplier<EventRoom> home, Supplier<EventRoom> delayed) {
    static final Rooms ENDLESS =
        new Rooms(EventRoom::endless, EventRoom::endless, EventRoom::endless);
  }

  private EventOpener(
      EventDecoder decoder,
      InstantSource wallClock,
      Duration maxAhead,
      Supplier<Set<String>> counted,
      Rooms rooms,
      Function<ConsumerRecord<?, ?>, Origin> origins) {
    this.origins = origins;
    this.counted = counted;
    this.rooms = rooms;
    this.decoder = decoder;
    this.wallClock = wallClock;
    maxAheadMs = maxAhead.toMillis();
  }

  /**
   * Creates an opener that accepts events of any size and knows the attributes that limits count
   * by.
   */
  public static EventOpener of(
      SluiceConfig config, CurrentLimits limits, EventDecoder decoder, InstantSource wallClock) {
    return new EventOpener(
        decoder, wallClock, config.timeMaxAhead(), counted(limits), Rooms.ENDLESS, Origin::of);
  }

  private static Supplier<Set<String>> counted(CurrentLimits limits) {
    return () -> limits.known().ever().attributes();
  }

  /**
   * Creates an opener that refuses an event if a topic that it may go to does not accept its size.
   */
  public static EventOpener of(
      SluiceConfig config, CurrentLimits limits, EventDecoder decoder, RecordSizes sizes) {
    return new EventOpener(
        decoder,
        InstantSource.system(),
        config.timeMaxAhead(),
        counted(limits),
        new Rooms(
            EventRoom.ofInput(config, limits, sizes),
            EventRoom.ofHome(config, limits, sizes),
            EventRoom.ofDelayed(config, limits, sizes)),
        Origin::of);
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMs) {
    EventRecord event = (EventRecord) record.value();
    Optional<EventRecord> same = polled(record.topic(), record.partition(), record.offset());
    if (same.isPresent()) event.openedAs(same.get());
    else open(event, record);
    // A faulty event does not move the clock. Streams would drop a record whose time is negative.
    return event.isFaulty() ? Math.max(0, partitionTimeMs) : event.event().occurredAtMs();
  }

  /**
   * Restores a record as it was before the hop to its home partition; decodes its event unless a
   * poll did so.
   */
  public Record<byte[], EventRecord> arrive(
      Record<byte[], EventRecord> record, Optional<RecordMetadata> at) {
    at.flatMap(from -> polled(from.topic(), from.partition(), from.offset()))
        .ifPresentOrElse(
            record.value()::openedAs,
            () -> openAtHome(record.value(), record.key(), record.headers(), record.timestamp()));
    return Hop.arrive(record);
  }

  /** Decodes an event that came by the hop to its home partition, and checks its size. */
  public void openAtHome(EventRecord event, byte[] key, Headers headers, long timestampMs) {
    Hop.open(event, headers, timestampMs, this::decoded);
    refuseIfTooLarge(event, key, Hop.without(headers), rooms.home.get());
  }

  /**
   * Decodes an event again that was admitted before and has waited, with the origin of its first
   * record.
   */
  public void openAgain(Record<byte[], EventRecord> waited, Origin origin)
      throws UnreadableEventException {
    EventRecord event = waited.value();
    event.opened(decoded(event, origin, waited.timestamp()), origin, waited.timestamp());
    refuseIfTooLarge(event, waited.key(), waited.headers(), rooms.delayed.get());
  }

  /**
   * Refuses an event that has waited if the topic for its verdict does not accept its size now.
   *
   * @param at record by which it was delayed, for an event whose origin is unknown
   */
  public void refuseIfStuck(
      Record<byte[], EventRecord> leaving, Verdict.Kind verdict, Supplier<Origin> at) {
    EventRecord event = leaving.value();
    rooms
        .delayed
        .get()
        .lackingToLeave(verdict, event, leaving.key(), leaving.headers())
        .ifPresent(
            why ->
                event.faulty(
                    new UnreadableEventException(FaultKind.TOO_LARGE, why),
                    event.origin().isKnown() ? event.origin() : at.get(),
                    leaving.timestamp()));
  }

  /** Returns the event of this record as a poll has decoded it, if one has. */
  private Optional<EventRecord> polled(String topic, int partition, long offset) {
    if (!prefetches) return Optional.empty();
    Prefetched mine = prefetched.get();
    return mine.isEmpty()
        ? Optional.empty()
        : mine.take(new TopicPartition(topic, partition), offset);
  }

  /**
   * Returns the calling thread's prefetched events, to add some; from now on each thread looks for
   * its own.
   */
  public Prefetched prefetching() {
    prefetches = true;
    return prefetched.get();
  }

  /** Returns the events that polls of the calling stream thread have prefetched. */
  public Prefetched prefetched() {
    return prefetched.get();
  }

  /**
   * Returns the supplier of the intake node.
   *
   * @param homed limits whose events must be on their home partition
   * @param paced whether the number of uncommitted records is limited
   * @param lag receives each record
   * @param onward node for events that are on the right partition
   */
  public static ProcessorSupplier<byte[], EventRecord, byte[], EventRecord> intake(
      Supplier<List<Limit>> homed,
      BooleanSupplier paced,
      DeadLetters deadLetters,
      HomePartitioner home,
      InputLag lag,
      String onward) {
    return () -> new IntakeProcessor(homed, paced, deadLetters, home, lag, onward);
  }

  /**
   * Requests a commit for one task when many of its records are processed and not committed.
   *
   * @param commit requests the commit
   * @return to be called with every record, in order
   */
  public static Consumer<RecordMetadata> pace(Runnable commit) {
    return new CommitPace(commit)::passed;
  }

  /** Returns the record as it takes the hop to its home partition; it may be faulty. */
  public static Record<byte[], EventRecord> depart(Record<byte[], EventRecord> record) {
    return Hop.depart(record);
  }

  /** Returns the timestamp extractor of the topic of delayed events. */
  public TimestampExtractor ofDelayed() {
    return new DelayedOpener(this);
  }

  public long wallMs() {
    return wallClock.millis();
  }

  /**
   * Decodes and validates an event; marks it as faulty if that fails.
   *
   * @throws SchemasUnavailableException if the source of schemas does not answer
   */
  public void open(EventRecord event, ConsumerRecord<?, ?> record) {
    Origin origin = origins.apply(record);
    long timestampMs = record.timestamp();
    open(event, () -> decoded(event, origin, timestampMs), origin, timestampMs, maxAheadMs);
    refuseIfTooLarge(event, (byte[]) record.key(), record.headers(), rooms.input.get());
  }

  /** Validates an event that is decoded already; marks it as faulty if that fails. */
  public void open(EventRecord event, Event decoded, ConsumerRecord<?, ?> record) {
    open(event, () -> decoded, origins.apply(record), record.timestamp(), maxAheadMs);
    refuseIfTooLarge(event, (byte[]) record.key(), record.headers(), rooms.input.get());
  }

  /**
   * Decodes and validates an event that is not a record of an input topic.
   *
   * @param wallMs current time by the clock of the component that received the event
   * @return the fault, if there is one
   */
  public Optional<UnreadableEventException> open(
      EventRecord event, Origin origin, long timestampMs, long wallMs) {
    return open(
        event, () -> decoded(event, origin, timestampMs), origin, timestampMs, maxAheadMs, wallMs);
  }

  /**
   * Decodes an event that was admitted before, perhaps by an instance whose clock is ahead of this
   * one's: its time is not checked again.
   */
  void openAdmitted(EventRecord event, ConsumerRecord<?, ?> record) {
    Origin stated = DelayHeaders.origin(record.headers());
    Origin here = Origin.of(record);
    Origin came = stated.isKnown() ? stated : here;
    long timestampMs = record.timestamp();
    open(event, () -> decoded(event, came, timestampMs), here, timestampMs, Long.MAX_VALUE);
    refuseIfTooLarge(event, (byte[]) record.key(), record.headers(), rooms.delayed.get());
  }

  private static void refuseIfTooLarge(
      EventRecord event, byte[] key, Headers headers, EventRoom room) {
    if (event.isFaulty()) return;
    room.lacking(event, key, headers)
        .map(why -> new UnreadableEventException(FaultKind.TOO_LARGE, why))
        .ifPresent(event::refused);
  }

  /** Event that is decoded when it is asked for. */
  private interface Reading {
    Event event() throws UnreadableEventException;
  }

  /**
   * @param came record that the event came in
   */
  private Event decoded(EventRecord event, Origin came, long timestampMs)
      throws UnreadableEventException {
    Event view = decoder.decode(event.bytes(), came, timestampMs);
    Set<String> noKeys = view.attributesOfNoKey();
    for (String name : noKeys.isEmpty() ? noKeys : counted.get()) {
      if (noKeys.contains(name)) {
        throw new UnreadableEventException(
            FaultKind.INVALID_FIELD,
            "attributes." + name + " contains half of a surrogate pair, which UTF-8 cannot encode");
      }
    }
    return view;
  }

  /**
   * @param origin coordinates of this record
   */
  private void open(
      EventRecord event, Reading read, Origin origin, long timestampMs, long mostAheadMs) {
    open(event, read, origin, timestampMs, mostAheadMs, wallClock.millis());
  }

  private Optional<UnreadableEventException> open(
      EventRecord event,
      Reading read,
      Origin origin,
      long timestampMs,
      long mostAheadMs,
      long wallMs) {
    try {
      Event view = read.event();
      long aheadMs = view.occurredAtMs() - wallMs;
      if (aheadMs > mostAheadMs) throw inFuture(aheadMs);
      event.opened(view, origin, stampMs(timestampMs, wallMs, view.occurredAtMs()));
      return Optional.empty();
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, stampMs(timestampMs, wallMs, wallMs));
      return Optional.of(e);
    }
  }

  /**
   * Returns the timestamp that a record leaves with: its own, or another one if a client or a
   * broker would refuse that. A producer may set none, which is -1, or one that no clock has shown.
   */
  private long stampMs(long timestampMs, long wallMs, long occurredAtMs) {
    long latestMs = wallMs + Topics.SURELY_TAKEN_AHEAD_MS;
    if (timestampMs >= 0 && timestampMs <= latestMs) return timestampMs;
    return Math.min(occurredAtMs, wallMs);
  }

  private UnreadableEventException inFuture(long aheadMs) {
    return new UnreadableEventException(
        FaultKind.IN_FUTURE,
        decoder.nameOf(Role.TIME)
            + " is "
            + aheadMs
            + " ms in the future, at most "
            + maxAheadMs
            + " is accepted");
  }
}
