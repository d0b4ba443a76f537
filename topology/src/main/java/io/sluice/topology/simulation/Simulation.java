package io.sluice.topology.simulation;

import io.sluice.limiter.redis.RedisMeter;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Event;
import io.sluice.topology.event.EventDecoder;
import io.sluice.topology.event.UnreadableEventException;
import io.sluice.topology.intake.DeadLetters;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Supplier;
import org.apache.kafka.streams.test.TestRecord;

/**
 * The real topology under a virtual clock that the events' own times drive. The same events give
 * the same verdicts, whenever it runs and however fast. Not thread-safe.
 *
 * <p>The clock is the largest event time so far and never goes back; it stands at 1970 until the
 * first event with a time. What is delayed is let go at the instant it is due.
 */
public final class Simulation implements AutoCloseable {
  private final SluiceConfig config;
  private final EventDecoder decoder;
  private final SimulatedStreams streams;
  private final DueTimes due = new DueTimes();
  private long published;
  private long clockMs;

  /** The receiver of a simulation's results. */
  public interface Output {
    /** A verdict, in the order in which they are given; a delayed event gets another when due. */
    void verdict(SimulatedVerdict verdict);

    /** What was fed last is not an event, and is passed over. */
    void notAnEvent(String why);
  }

  private Simulation(SluiceConfig simulated, Supplier<RedisMeter> redis, Path folder) {
    config = simulated;
    decoder = config.eventDecoder();
    streams =
        new SimulatedStreams(
            ThrottleTopology.build(config, 1, () -> Instant.ofEpochMilli(clockMs), redis),
            config.topics(),
            folder);
  }

  /**
   * Starts in 1970, with nothing counted in the state store.
   *
   * @param redis meters the limits that count in Redis; not asked if there are none
   * @param folder where nothing else is; what is left in it is of no use afterwards
   */
  public static Simulation start(SluiceConfig config, Supplier<RedisMeter> redis, Path folder) {
    return new Simulation(config.simulated(), redis, folder);
  }

  /**
   * Lets one event happen, and before it whatever is due until then.
   *
   * @param value as a record's value would be; the clock gives the time that it does not
   */
  public void feed(byte[] value, Output output) {
    long offset = published++;
    try {
      advanceTo(decoder.decode(value, origin(offset), clockMs).occurredAtMs(), output);
    } catch (UnreadableEventException e) {
      // It is published all the same: the topology says what is wrong, and offsets stay right.
    }
    streams.publish(value, offset, clockMs);
    drain(output);
  }

  /** How many events are delayed now. */
  public int delayed() {
    return due.held();
  }

  /** Runs the clock on to the next instant at which something that is delayed is due. */
  public void runOn(Output output) {
    if (due.held() > 0) moveClock(due.nextMs(clockMs), output);
  }

  /** The time that it is in the simulation. */
  public Instant now() {
    return Instant.ofEpochMilli(clockMs);
  }

  private void advanceTo(long targetMs, Output output) {
    while (due.held() > 0 && due.nextMs(clockMs) < targetMs) runOn(output);
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

  private void hand(TestRecord<byte[], byte[]> record, Output output) {
    String error = SimulatedVerdict.header(record.headers(), DeadLetters.ERROR);
    if (!error.isEmpty()) {
      output.notAnEvent(error);
      return;
    }
    long offset = SimulatedStreams.offset(record.headers());
    SimulatedVerdict verdict =
        new SimulatedVerdict(offset, opened(record, offset), record.headers(), config);
    due.note(verdict);
    output.verdict(verdict);
  }

  private Event opened(TestRecord<byte[], byte[]> record, long offset) {
    try {
      return decoder.decode(record.value(), origin(offset), record.timestamp());
    } catch (UnreadableEventException e) {
      throw new IllegalStateException("an event that has a verdict could be read before", e);
    }
  }

  /** What stands in for the id that an event does not give. */
  private String origin(long offset) {
    return config.inputTopics().get(0) + "-0-" + offset;
  }

  @Override
  public void close() {
    streams.close();
  }
}
