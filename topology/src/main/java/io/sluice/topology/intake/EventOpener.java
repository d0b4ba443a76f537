package io.sluice.topology.intake;

import io.sluice.events.EventDecoder;
import io.sluice.events.RawRecord;
import io.sluice.events.Role;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.config.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Decoder of the events in records, and timestamp extractor of the input topics. It validates each
 * event and gives Kafka Streams the event's time, so that the stream time is the latest event time.
 */
public final class EventOpener implements TimestampExtractor {
  /*
   * The timestamp extractor is the first code of Sluice that sees a record's coordinates and
   * timestamp, which replace a missing event id and event time. Kafka Streams stores the latest
   * time that the extractor has returned in the metadata of the committed offset, so the clock of a
   * partition survives restarts and never goes back, without a state store.
   */
  private final EventDecoder decoder;
  private final InstantSource wallClock;
  private final long maxAheadMs;
  private final ThreadLocal<Prefetched> prefetched = ThreadLocal.withInitial(Prefetched::new);

  /** Tells whether the fault of an attribute keeps its event from being metered. */
  private final BiPredicate<FaultKind, String> harm;

  private final Rooms rooms;
  private final Function<ConsumerRecord<?, ?>, Origin> origins;

  /** Creates an opener that accepts events of any size. */
  public EventOpener(EventDecoder decoder, InstantSource wallClock, Duration maxAhead) {
    this(decoder, wallClock, maxAhead, Origin::of);
  }

  /**
   * Creates an opener that accepts events of any size.
   *
   * @param maxAhead how far in the future an event's time may be
   * @param origins returns the origin of an event, given its record of an input topic
   */
  public EventOpener(
      EventDecoder decoder,
      InstantSource wallClock,
      Duration maxAhead,
      Function<ConsumerRecord<?, ?>, Origin> origins) {
    this(decoder, wallClock, maxAhead, (fault, attribute) -> false, Rooms.ENDLESS, origins);
  }

  /**
   * Size checks for events from an input topic, from the repartition topic to the home partition,
   * and from the topic of delayed events.
   */
  private record Rooms(
      Supplier<EventRoom> input, Supplier<EventRoom> home, Supplier<EventRoom> delayed) {
    static final Rooms ENDLESS = same(EventRoom.endless());

    private static Rooms same(EventRoom room) {
      return new Rooms(() -> room, () -> room, () -> room);
    }
  }

  private EventOpener(
      EventDecoder decoder,
      InstantSource wallClock,
      Duration maxAhead,
      BiPredicate<FaultKind, String> harm,
      Rooms rooms,
      Function<ConsumerRecord<?, ?>, Origin> origins) {
    this.origins = origins;
    this.harm = harm;
    this.rooms = rooms;
    this.decoder = decoder;
    this.wallClock = wallClock;
    maxAheadMs = maxAhead.toMillis();
  }

  /**
   * Creates an opener that accepts events of any size, but refuses an event if an attribute that a
   * limit counts by cannot be a key.
   */
  public static EventOpener of(
      SluiceConfig config, CurrentLimits limits, EventDecoder decoder, InstantSource wallClock) {
    return new EventOpener(
        decoder, wallClock, config.timeMaxAhead(), harm(config, limits), Rooms.ENDLESS, Origin::of);
  }

  private static BiPredicate<FaultKind, String> harm(SluiceConfig config, CurrentLimits limits) {
    Set<String> ordered = config.queueOrder().attributes();
    return (fault, attribute) ->
        limits.known().ever().areHarmedBy(fault, attribute)
            || (fault == FaultKind.DUPLICATE_FIELD && ordered.contains(attribute));
  }

  /**
   * Creates an opener that refuses an event if it is too large for a topic to which it may be
   * written.
   */
  public static EventOpener of(
      SluiceConfig config, CurrentLimits limits, EventDecoder decoder, RecordSizes sizes) {
    return new EventOpener(
        decoder,
        InstantSource.system(),
        config.timeMaxAhead(),
        harm(config, limits),
        new Rooms(
            EventRoom.ofInput(config, limits, sizes),
            EventRoom.ofHome(config, limits, sizes),
            EventRoom.ofDelayed(config, limits, sizes)),
        Origin::of);
  }

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTimeMs) {
    EventRecord event = (EventRecord) record.value();
    Optional<EventBatch> batch = event.batch();
    if (batch.isEmpty()) open(event, record);
    long timeMs = batch.isPresent() ? batch.get().latestMs() : timeMs(event);
    // A faulty event does not advance the stream time. Streams drops a record with a negative time.
    return timeMs < 0 ? Math.max(0, partitionTimeMs) : timeMs;
  }

  private static long timeMs(EventRecord event) {
    return event.isFaulty() ? ConsumerRecord.NO_TIMESTAMP : event.event().occurredAtMs();
  }

  /**
   * Decodes the event of a record of the consumer before Kafka Streams gets the record, and returns
   * the record with the original key and headers.
   *
   * @param isHopped whether the record came through the repartition topic
   * @throws SchemasUnavailableException if the schema registry does not answer
   */
  public Record<byte[], EventRecord> opened(
      ConsumerRecord<byte[], byte[]> record, boolean isHopped) {
    EventRecord event = new EventRecord(record.value());
    if (isHopped) {
      return arrive(
          new Record<>(record.key(), event, Math.max(0, record.timestamp()), record.headers()));
    }
    open(event, record);
    return new Record<>(record.key(), event, Math.max(0, timeMs(event)), record.headers());
  }

  /**
   * Decodes the event of a record that came to its home partition through the repartition topic,
   * and returns the record with its original key and headers.
   */
  public Record<byte[], EventRecord> arrive(Record<byte[], EventRecord> record) {
    openAtHome(record.value(), record.key(), record.headers(), record.timestamp());
    return Hop.arrive(record);
  }

  /**
   * Decodes an event that came to its home partition through the repartition topic, and checks its
   * size.
   */
  private void openAtHome(EventRecord event, byte[] key, Headers headers, long timestampMs) {
    Hop.open(
        event,
        new RawRecord(key, event.bytes(), headers, Origin.UNKNOWN, timestampMs),
        this::decoded);
    refuseIfTooLarge(event, key, Hop.without(headers), rooms.home.get());
  }

  /**
   * Decodes again an event that was accepted before and has waited in a store.
   *
   * @param origin record that the event first came in
   */
  public void openAgain(Record<byte[], EventRecord> waited, Origin origin)
      throws UnreadableEventException {
    EventRecord event = waited.value();
    long timestampMs = waited.timestamp();
    RawRecord raw =
        new RawRecord(waited.key(), event.bytes(), waited.headers(), origin, timestampMs);
    event.opened(decoded(raw), origin, timestampMs);
    refuseIfTooLarge(event, waited.key(), waited.headers(), rooms.delayed.get());
  }

  /**
   * Marks an event that has waited as faulty if it is too large now for the topic of its verdict.
   *
   * @param at returns the record that scheduled the event, as origin of an event without a known
   *     origin
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

  /** Returns the order of questions to Redis of the calling thread. */
  public Prefetched prefetched() {
    return prefetched.get();
  }

  /**
   * Returns a record, which may be faulty, in the form for the repartition topic to its home
   * partition.
   */
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
   * Decodes and validates the event of an input record; marks the event as faulty if that fails.
   *
   * @throws SchemasUnavailableException if the schema registry does not answer
   */
  public void open(EventRecord event, ConsumerRecord<?, ?> record) {
    Origin origin = origins.apply(record);
    long timestampMs = record.timestamp();
    RawRecord raw =
        new RawRecord((byte[]) record.key(), event.bytes(), record.headers(), origin, timestampMs);
    open(event, () -> decoded(raw), origin, timestampMs, maxAheadMs);
    refuseIfTooLarge(event, (byte[]) record.key(), record.headers(), rooms.input.get());
  }

  /**
   * Validates the event of an input record that is decoded already; marks the event as faulty if
   * that fails.
   */
  public void open(EventRecord event, Event decoded, ConsumerRecord<?, ?> record) {
    open(event, () -> decoded, origins.apply(record), record.timestamp(), maxAheadMs);
    refuseIfTooLarge(event, (byte[]) record.key(), record.headers(), rooms.input.get());
  }

  /**
   * Decodes and validates an event that did not come in a record of an input topic.
   *
   * @param wallMs current time by the clock of the component that received the event
   * @return reason why the event is refused; empty if the event is valid
   */
  public Optional<UnreadableEventException> open(
      EventRecord event, Origin origin, long timestampMs, long wallMs) {
    return open(
        event,
        () -> decoded(RawRecord.ofValue(event.bytes(), origin, timestampMs)),
        origin,
        timestampMs,
        maxAheadMs,
        wallMs);
  }

  /**
   * Decodes an event on the topic of delayed events. Whether its time is too far in the future is
   * not checked again, since the clock of the instance that accepted the event may be ahead of this
   * instance's clock. Recognises control records, which are not decoded here.
   */
  void openAdmitted(EventRecord event, ConsumerRecord<?, ?> record) {
    Optional<String> control = DelayHeaders.control(record.headers());
    if (control.isPresent()) {
      openControl(event, control.get(), record);
      return;
    }
    Origin stated = DelayHeaders.origin(record.headers());
    Origin here = Origin.of(record);
    Origin came = stated.isKnown() ? stated : here;
    long timestampMs = record.timestamp();
    RawRecord raw =
        new RawRecord((byte[]) record.key(), event.bytes(), record.headers(), came, timestampMs);
    open(event, () -> decoded(raw), here, timestampMs, Long.MAX_VALUE);
    refuseIfTooLarge(event, (byte[]) record.key(), record.headers(), rooms.delayed.get());
  }

  private void openControl(EventRecord event, String kind, ConsumerRecord<?, ?> record) {
    long wallMs = wallClock.millis();
    long timestampMs = stampMs(record.timestamp(), wallMs, wallMs);
    event.control(Origin.of(record), timestampMs);
    if (kind.equals(DelayHeaders.CANCEL)) return;
    event.refused(
        new UnreadableEventException(
            FaultKind.INVALID_HEADER,
            DelayHeaders.CONTROL + " must be " + DelayHeaders.CANCEL + ": " + kind));
  }

  private static void refuseIfTooLarge(
      EventRecord event, byte[] key, Headers headers, EventRoom room) {
    if (event.isFaulty()) return;
    room.lacking(event, key, headers)
        .map(why -> new UnreadableEventException(FaultKind.TOO_LARGE, why))
        .ifPresent(event::refused);
  }

  /** Supplier of an event that decodes the event when it is called. */
  private interface Reading {
    Event event() throws UnreadableEventException;
  }

  private Event decoded(RawRecord record) throws UnreadableEventException {
    Event event = decoder.decode(record);
    for (Map.Entry<String, FaultKind> each : event.attributeFaults().entrySet()) {
      String name = each.getKey();
      if (harm.test(each.getValue(), name)) {
        throw faulty(name, each.getValue(), event.attribute(name));
      }
    }
    return event;
  }

  /**
   * @param value text of the attribute, with half a surrogate pair as an escape sequence
   */
  private static UnreadableEventException faulty(String name, FaultKind fault, String value) {
    String why;
    if (fault == FaultKind.DUPLICATE_FIELD) why = " occurs twice in one object";
    else if (value.contains("\\u")) {
      why = " contains half of a surrogate pair, which UTF-8 cannot encode";
    } else why = " has an exponent and too many digits";
    return new UnreadableEventException(fault, "attributes." + name + why);
  }

  /**
   * @param origin coordinates of the event's record
   * @param mostAheadMs how far in the future the event's time may be, milliseconds
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
      if (aheadMs > mostAheadMs) throw inFuture(aheadMs, origin);
      event.opened(view, origin, stampMs(timestampMs, wallMs, view.occurredAtMs()));
      return Optional.empty();
    } catch (UnreadableEventException e) {
      event.faulty(e, origin, stampMs(timestampMs, wallMs, wallMs));
      return Optional.of(e);
    }
  }

  /**
   * Returns the timestamp with which a record leaves, epoch milliseconds: its own timestamp unless
   * that is negative, which Kafka's clients refuse, or so far in the future that brokers refuse it.
   * Otherwise the event's time or the wall-clock time, the earlier of the two.
   */
  private long stampMs(long timestampMs, long wallMs, long occurredAtMs) {
    long latestMs = wallMs + Topics.SURELY_TAKEN_AHEAD_MS;
    if (timestampMs >= 0 && timestampMs <= latestMs) return timestampMs;
    return Math.min(occurredAtMs, wallMs);
  }

  private UnreadableEventException inFuture(long aheadMs, Origin origin) {
    return new UnreadableEventException(
        FaultKind.IN_FUTURE,
        decoder.nameOf(Role.TIME, origin)
            + " is "
            + aheadMs
            + " ms in the future, at most "
            + maxAheadMs
            + " is accepted");
  }
}
