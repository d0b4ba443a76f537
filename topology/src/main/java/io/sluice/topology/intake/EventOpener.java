package io.sluice.topology.intake;

import io.sluice.schemas.Role;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.EventDecoder;
import io.sluice.topology.event.Origin;
import io.sluice.topology.event.UnreadableEventException;
import io.sluice.topology.event.UnreadableEventException.FaultKind;
import io.sluice.topology.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.topology.limit.DelayHeaders;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Verdict;
import io.sluice.topology.revision.CurrentLimits;
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
 * The opener of each event of the input topics: decodes and checks it, and gives Streams its time.
 * From then on Streams' own stream time is the partition's clock.
 */
public final class EventOpener implements TimestampExtractor {
  /*
   * Why here: the extractor is the first of our code that sees a record's coordinates, which stand in
   * for a missing id and time; and the time it returns is what Streams keeps in the committed offset's
   * metadata, so that the clock of a partition survives restarts and never goes back, without a store.
   */
  private final EventDecoder decoder;
  private final InstantSource wallClock;
  private final long maxAheadMs;
  private final ThreadLocal<Prefetched> prefetched = ThreadLocal.withInitial(Prefetched::new);

  /** While nothing was ever prefetched, no thread has to look. */
  private volatile boolean prefetches;

  /** The names of attributes that limits count by. */
  private final Supplier<Set<String>> counted;

  private final Rooms rooms;
  private final Function<ConsumerRecord<?, ?>, Origin> origins;

  /** Where no event is too large. */
  public EventOpener(EventDecoder decoder, InstantSource wallClock, Duration maxAhead) {
    this(decoder, wallClock, maxAhead, Origin::of);
  }

  /**
   * The same.
   *
   * @param origins tells where a record of an input topic came from
   */
  public EventOpener(
      EventDecoder decoder,
      InstantSource wallClock,
      Duration maxAhead,
      Function<ConsumerRecord<?, ?>, Origin> origins) {
    this(decoder, wallClock, maxAhead, Set::of, Rooms.ENDLESS, origins);
  }

  /** The room for events of an input topic, of the hop, and of the topic of delayed events. */
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
   * An opener to which no event is too large, and which knows the attributes that limits count by.
   */
  public static EventOpener of(
      SluiceConfig config, CurrentLimits limits, EventDecoder decoder, InstantSource wallClock) {
    return new EventOpener(
        decoder, wallClock, config.timeMaxAhead(), counted(limits), Rooms.ENDLESS, Origin::of);
  }

  private static Supplier<Set<String>> counted(CurrentLimits limits) {
    return () -> limits.known().ever().attributes();
  }

  /** Where an event is too large if a topic that it may go to does not take it. */
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
    // A faulty event says nothing about time. Streams would drop a record whose time is negative.
    return event.isFaulty() ? Math.max(0, partitionTimeMs) : event.event().occurredAtMs();
  }

  /** The record as it was before it took the hop home, opened now unless a poll opened it. */
  public Record<byte[], EventRecord> arrive(
      Record<byte[], EventRecord> record, Optional<RecordMetadata> at) {
    at.flatMap(from -> polled(from.topic(), from.partition(), from.offset()))
        .ifPresentOrElse(
            record.value()::openedAs,
            () -> openAtHome(record.value(), record.key(), record.headers(), record.timestamp()));
    return Hop.arrive(record);
  }

  /** Opens what a record with these contents brings home from another partition. */
  public void openAtHome(EventRecord event, byte[] key, Headers headers, long timestampMs) {
    Hop.open(event, headers, timestampMs, this::decoded);
    refuseIfTooLarge(event, key, Hop.without(headers), rooms.home.get());
  }

  /** Opens an event that was admitted before, as it came then, and has waited. */
  public void openAgain(Record<byte[], EventRecord> waited, Origin origin)
      throws UnreadableEventException {
    EventRecord event = waited.value();
    event.opened(decoded(event, origin, waited.timestamp()), origin, waited.timestamp());
    refuseIfTooLarge(event, waited.key(), waited.headers(), rooms.delayed.get());
  }

  /**
   * Refuses an event that has waited if the topic for its verdict does not take it now.
   *
   * @param at the record that it waited as, where it does not say where it came in first
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

  /** The same record, opened when a poll brought it, if one did. */
  private Optional<EventRecord> polled(String topic, int partition, long offset) {
    if (!prefetches) return Optional.empty();
    Prefetched mine = prefetched.get();
    return mine.isEmpty()
        ? Optional.empty()
        : mine.take(new TopicPartition(topic, partition), offset);
  }

  /** The same, for whoever adds to it. */
  public Prefetched prefetching() {
    prefetches = true;
    return prefetched.get();
  }

  /** What the calling stream thread's polls have brought. */
  public Prefetched prefetched() {
    return prefetched.get();
  }

  /**
   * The node that takes in what is opened.
   *
   * @param homed the limits whose events must be at home
   * @param paced whether there is a bound on what is processed and not committed
   * @param lag told of each record
   * @param onward the node for events that are where they belong
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
   * Asks for a commit, for one task, when much of a topic is processed and not committed.
   *
   * @param commit asks for it
   * @return to be told of every record, in order
   */
  public static Consumer<RecordMetadata> pace(Runnable commit) {
    return new CommitPace(commit)::passed;
  }

  /** The record as it takes the hop home, whatever it is. */
  public static Record<byte[], EventRecord> depart(Record<byte[], EventRecord> record) {
    return Hop.depart(record);
  }

  /** Opens what comes back on the topic of delayed events. */
  public TimestampExtractor ofDelayed() {
    return new DelayedOpener(this);
  }

  public long wallMs() {
    return wallClock.millis();
  }

  /**
   * Decodes and checks an event, or says what is wrong with it.
   *
   * @throws SchemasUnavailableException if nobody can say yet whether anything is
   */
  public void open(EventRecord event, ConsumerRecord<?, ?> record) {
    Origin origin = origins.apply(record);
    long timestampMs = record.timestamp();
    open(event, () -> decoded(event, origin, timestampMs), origin, timestampMs, maxAheadMs);
    refuseIfTooLarge(event, (byte[]) record.key(), record.headers(), rooms.input.get());
  }

  /** Checks an event that is decoded already, or says what is wrong with it. */
  public void open(EventRecord event, Event decoded, ConsumerRecord<?, ?> record) {
    open(event, () -> decoded, origins.apply(record), record.timestamp(), maxAheadMs);
    refuseIfTooLarge(event, (byte[]) record.key(), record.headers(), rooms.input.get());
  }

  /**
   * The same for an event that is no record of an input topic.
   *
   * @param wallMs the time, by the clock of whoever took it in
   * @return what is wrong with it, if anything is
   */
  public Optional<UnreadableEventException> open(
      EventRecord event, Origin origin, long timestampMs, long wallMs) {
    return open(
        event, () -> decoded(event, origin, timestampMs), origin, timestampMs, maxAheadMs, wallMs);
  }

  /**
   * The same for an event that was admitted before, perhaps by an instance whose clock is ahead of
   * this one's: its time is not looked at again.
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

  /** An event that is read only when it is asked for. */
  private interface Reading {
    Event event() throws UnreadableEventException;
  }

  /**
   * @param came where the event came in
   */
  private Event decoded(EventRecord event, Origin came, long timestampMs)
      throws UnreadableEventException {
    Event view = decoder.decode(event.bytes(), came, timestampMs);
    Set<String> noKeys = view.attributesOfNoKey();
    for (String name : noKeys.isEmpty() ? noKeys : counted.get()) {
      if (noKeys.contains(name)) {
        throw new UnreadableEventException(
            FaultKind.INVALID_FIELD,
            "attributes." + name + " holds half of a surrogate pair, which UTF-8 cannot");
      }
    }
    return view;
  }

  /**
   * @param origin of this record
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
   * The timestamp that a record leaves with: its own, or another if a client or a broker would
   * refuse that. A producer need not give a record any, which is -1, and some give it others that
   * no clock has shown.
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
