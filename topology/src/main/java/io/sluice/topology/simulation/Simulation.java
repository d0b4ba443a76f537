package io.sluice.topology.simulation;

import io.sluice.events.EventDecoder;
import io.sluice.events.RawRecord;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.topology.ThrottleNodes;
import io.sluice.topology.config.NonEvents;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.DeadLetters;
import io.sluice.topology.intake.DirectOutput;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.InputLag;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.RecordSizes;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.MissingKeys;
import io.sluice.topology.metrics.MissingKeys.KeyShare;
import io.sluice.topology.metrics.QueueGauges;
import io.sluice.topology.redis.RedisBreaker;
import io.sluice.topology.simulation.SimulatedVerdict.Marks;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Simulation that runs the real topology under a virtual clock, which follows the events' own
 * times. The same events give the same verdicts, whenever and however fast the simulation runs. Not
 * thread-safe.
 *
 * <p>The clock is the latest event time so far and never goes back; it is at the start of 1970
 * until the first event. To release delayed events when they are due, the clock also stops at their
 * due times.
 */
public final class Simulation implements AutoCloseable {
  /** Divisor of the heap size: the rows of each of the three stores may take a 16th of the heap. */
  private static final int STORE_PART_OF_HEAP = 16;

  private final SluiceConfig config;
  private final LimitsInForce limits;
  private final EventDecoder decoder;
  private final SimulatedStreams streams;
  private final MissingKeys missingKeys;
  private final QueueGauges queues;
  private final long latenessMs;
  private final DueTimes due = new DueTimes();
  private long published;
  private long clockMs;

  /** Receiver of a simulation's results. */
  public interface Output {
    /** Called with each verdict, in order; a delayed event gets another verdict when it is due. */
    void verdict(SimulatedVerdict verdict);

    /** Called if a record is not a valid event and is skipped, with the reason. */
    void notAnEvent(String why);

    /**
     * Called with a record that is not an event and leaves without metering.
     *
     * @param verdict the verdict as a JSON object in one line
     */
    default void passedOn(String verdict) {}

    /** Called with a record that is not an event and is dropped. */
    default void dropped() {}

    /** Called if the event to be processed next is too late to be metered at its own time. */
    default void late(Duration behind) {}
  }

  /** Factory of the simulated application that runs the topology. */
  interface Engine {
    SimulatedStreams start(EventDecoder decoder, InstantSource clock, Instruments instruments);
  }

  /**
   * @param simulated configuration with the changes for a simulation
   */
  Simulation(SluiceConfig simulated, LimitsInForce limits, Engine engine) {
    config = simulated;
    this.limits = limits;
    Instruments instruments = new Instruments(config);
    missingKeys = instruments.missingKeys();
    queues = instruments.queues();
    decoder = config.eventDecoder();
    latenessMs = config.timeLateness().toMillis();
    streams = engine.start(decoder, () -> Instant.ofEpochMilli(clockMs), instruments);
  }

  /**
   * Starts a simulation with its clock at the start of 1970 and an empty state store.
   *
   * @param redis supplies the meter of limits in Redis; not called if no limit is in Redis
   * @param folder empty folder for state stores on disk; its content is of no use afterwards
   */
  public static Simulation start(SluiceConfig config, Supplier<RedisMeter> redis, Path folder) {
    return start(config, limits(config, List.of()), redis, folder);
  }

  /** Starts a simulation with limits that change during the simulated time. */
  public static Simulation start(
      SluiceConfig config, LimitsInForce limits, Supplier<RedisMeter> redis, Path folder) {
    return start(
        config, limits, redis, folder, Runtime.getRuntime().maxMemory() / STORE_PART_OF_HEAP);
  }

  /**
   * Starts a simulation whose state stores move to a folder on disk if they grow too large.
   *
   * @param mostBytes approximately how many bytes of rows each store keeps on the heap
   */
  static Simulation start(
      SluiceConfig config,
      LimitsInForce limits,
      Supplier<RedisMeter> redis,
      Path folder,
      long mostBytes) {
    SluiceConfig simulated = config.simulated();
    HomePartitioner home = HomePartitioner.of(simulated, 1);
    Engine task =
        (decoder, clock, instruments) -> {
          EventOpener opener = EventOpener.of(simulated, () -> limits, decoder, clock);
          RedisBreaker breaker =
              RedisBreaker.of(simulated.applicationId(), redis, instruments.redis());
          MeteringServices services =
              new MeteringServices(simulated, () -> limits, home, opener, breaker, instruments);
          ThrottleNodes nodes =
              ThrottleNodes.of(services, RecordSizes.any(), InputLag.none(), DirectOutput.NONE);
          return new SimulatedTask(nodes, simulated.topics(), folder, mostBytes);
        };
    return new Simulation(simulated, limits, task);
  }

  /** Returns the limits of a simulation, with revisions that change them at given instants. */
  public static LimitsInForce limits(SluiceConfig config, Collection<LimitRevision> revisions) {
    return LimitsInForce.of(config.simulated().limitsConfig()).with(revisions);
  }

  /**
   * Processes one event, after the delayed events that are due before it.
   *
   * @param value value of the event's record; the simulation's clock replaces a missing event time
   * @param output receives the verdicts
   */
  public void feed(byte[] value, Output output) {
    feed(record(value, clockMs), output);
  }

  /**
   * Processes a record of a topic, with its key, headers and timestamp, after the delayed events
   * that are due before it.
   *
   * @throws io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException if the
   *     schema registry does not answer
   */
  public void feed(ConsumerRecord<byte[], byte[]> record, Output output) {
    feed(record, Long.MAX_VALUE, output);
  }

  /**
   * Processes a record of a topic, unless its event's time is too far in the future.
   *
   * @param latestMs latest valid event time, epoch milliseconds; the real application refused later
   *     events, so the simulation skips them
   * @throws io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException if the
   *     schema registry does not answer
   */
  public void feed(ConsumerRecord<byte[], byte[]> record, long latestMs, Output output) {
    Origin origin = Origin.of(record);
    Optional<Event> read = Optional.empty();
    try {
      Event event = decoder.decode(RawRecord.of(record, origin));
      if (event.occurredAtMs() > latestMs) {
        passOver();
        output.notAnEvent(
            "the event's time is in the future: " + Instant.ofEpochMilli(event.occurredAtMs()));
        return;
      }
      advanceTo(event.occurredAtMs(), output);
      read = Optional.of(event);
    } catch (UnreadableEventException e) {
      // The record is published nevertheless, since the topology reports the fault.
      NonEvents.Policy policy = config.nonEvents().of(e.kind(), record.key(), record.value());
      if (policy == NonEvents.Policy.DROP) output.dropped();
    }
    streams.publish(record, published++, origin, read);
    drain(output);
  }

  /** Skips a record that is not an event. The skipped record takes an offset, as in a topic. */
  public void passOver() {
    published++;
  }

  /**
   * Returns the time of the event in a record value, epoch milliseconds; empty if the value is not
   * an event, or the event has no time.
   */
  public OptionalLong timeOf(byte[] value) {
    return timeOf(record(value, ConsumerRecord.NO_TIMESTAMP));
  }

  /** Returns the time of a record's event, epoch milliseconds; empty if it is not an event. */
  public OptionalLong timeOf(ConsumerRecord<byte[], byte[]> record) {
    return decoder.occurredAtMs(RawRecord.of(record, Origin.of(record)));
  }

  /** Returns a record with a value, as if it was the next record of the first input topic. */
  private ConsumerRecord<byte[], byte[]> record(byte[] value, long timestampMs) {
    return new ConsumerRecord<>(
        config.inputTopics().get(0),
        0,
        published,
        timestampMs,
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        value.length,
        null,
        value,
        new RecordHeaders(),
        Optional.empty());
  }

  /** Returns the limits whose events have lacked a field of the key so far, with the counts. */
  public List<KeyShare> missingKeys() {
    return missingKeys.shares();
  }

  /** Returns the number of events that are delayed now. */
  public int delayed() {
    return due.held();
  }

  /**
   * Advances the clock to the next instant at which a delayed event may be released; does nothing
   * if no event is delayed.
   */
  public void runOn(Output output) {
    if (due.held() > 0) moveClock(nextMs(), output);
  }

  private long nextMs() {
    return Math.min(due.nextMs(clockMs), Math.max(clockMs + 1, queues.nextMs()));
  }

  /** Returns the time of the simulation's virtual clock. */
  public Instant now() {
    return Instant.ofEpochMilli(clockMs);
  }

  private void advanceTo(long targetMs, Output output) {
    boolean late = config.judgesByEventTime() && clockMs - targetMs > latenessMs;
    if (late) output.late(Duration.ofMillis(clockMs - targetMs));
    while (due.held() > 0 && nextMs() < targetMs) runOn(output);
    moveClock(targetMs, output);
  }

  private void moveClock(long toMs, Output output) {
    if (toMs <= clockMs) return;
    long byMs = toMs - clockMs;
    clockMs = toMs;
    due.passed(toMs);
    streams.advance(byMs);
    drain(output);
  }

  private void drain(Output output) {
    streams.drain(record -> hand(record, output));
  }

  private void hand(Record<byte[], EventRecord> record, Output output) {
    String error = SimulatedVerdict.header(record.headers(), DeadLetters.ERROR);
    if (!error.isEmpty()) {
      output.notAnEvent(error);
      return;
    }
    if (SimulatedVerdict.isUnmetered(record.headers())) {
      output.passedOn(SimulatedVerdict.unmetered(record.headers()));
      return;
    }
    long number = Marks.number(record.headers());
    SimulatedVerdict verdict =
        new SimulatedVerdict(number, opened(record), record.headers(), limits.ever());
    due.note(verdict);
    output.verdict(verdict);
  }

  /** Returns the event of an output record; decodes a delayed event, which leaves as bytes. */
  private Event opened(Record<byte[], EventRecord> record) {
    EventRecord event = record.value();
    if (event.isOpened()) return event.event();
    Origin origin = Marks.origin(record.headers());
    try {
      return decoder.decode(
          new RawRecord(record.key(), event.bytes(), record.headers(), origin, record.timestamp()));
    } catch (UnreadableEventException e) {
      throw new IllegalStateException("an event that has a verdict could be read before", e);
    }
  }

  /**
   * Stops the waiting of the simulation's thread for a schema registry, before the simulation is
   * closed. Any thread may call this method.
   */
  public void stopWaiting() {
    decoder.stopWaiting();
  }

  @Override
  public void close() {
    streams.close();
  }

  /** Due times of the delayed events in a simulation, read from its verdicts. */
  static final class DueTimes {
    private static final int MOST_LOOKS_IN_VAIN = 1_000_000;

    private final Set<Long> held = new HashSet<>();
    private final PriorityQueue<Long> aheadMs = new PriorityQueue<>();
    private final Set<Long> queued = new HashSet<>();
    private int looksInVain;

    /** Returns the number of events that are delayed now, including those that wait in line. */
    int held() {
      return held.size() + queued.size();
    }

    /** Notes a verdict: it makes its event a delayed event, or ends the delay of its event. */
    void note(SimulatedVerdict verdict) {
      if (held.remove(verdict.number())) looksInVain = 0;
      queued.remove(verdict.number());
      if (!verdict.isDelayed()) return;
      if (verdict.isEstimated()) {
        queued.add(verdict.number());
        return;
      }
      held.add(verdict.number());
      aheadMs.add(verdict.dueMs());
    }

    /**
     * Notes the time of the virtual clock. Delayed events whose due time has passed are overdue
     * until their next verdict.
     *
     * @throws IllegalStateException if events stay overdue for a very long time
     */
    void passed(long nowMs) {
      if (isOverdue() && ++looksInVain > MOST_LOOKS_IN_VAIN) {
        throw new IllegalStateException(held() + " events are delayed and never released");
      }
      while (!aheadMs.isEmpty() && aheadMs.peek() <= nowMs) aheadMs.poll();
    }

    /**
     * Returns the next instant, epoch milliseconds, at which the simulation must look for released
     * events; {@link Long#MAX_VALUE} if only events in line are delayed.
     */
    long nextMs(long nowMs) {
      if (held.isEmpty()) return Long.MAX_VALUE;
      return isOverdue() ? nowMs + 1 : Math.max(nowMs + 1, aheadMs.peek());
    }

    private boolean isOverdue() {
      return aheadMs.size() < held.size();
    }
  }
}
