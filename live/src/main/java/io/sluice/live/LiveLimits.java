package io.sluice.live;

import io.sluice.live.kafka.LimitsTopic;
import io.sluice.rules.StartException;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.settings.LimitWords;
import io.sluice.rules.settings.LimitsConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits of a running instance: the limits of its configuration, changed by the revisions in the
 * topic. Thread-safe.
 *
 * <p>{@link #now} only reads a clock as a rule. If the last confirmed reading of the topic is more
 * than a second old, it waits until the topic has been read to its end, for five seconds at most.
 */
public final class LiveLimits implements CurrentLimits, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveLimits.class);

  private final CurrentLimits current;
  private final Deque<AutoCloseable> opened;

  private LiveLimits(CurrentLimits current, Deque<AutoCloseable> opened) {
    this.current = current;
    this.opened = opened;
  }

  /**
   * Returns limits that only the configuration determines, for an instance that reads no revisions.
   */
  public static LiveLimits unchanging(LimitsConfig config) {
    LimitsInForce configured = LimitsInForce.of(config);
    return new LiveLimits(() -> configured, new ArrayDeque<>());
  }

  /**
   * Reads the whole topic of revisions, and follows it from then on.
   *
   * @throws StartException if the topic cannot be read; the message says why in one line
   */
  public static LiveLimits follow(LimitsConfig config, LimitsTopic topic, LimitsReport report) {
    return new Opening(config, topic, report, new ArrayDeque<>()).open();
  }

  /** Opens the parts of live limits in order, and closes the open parts if one of them fails. */
  private record Opening(
      LimitsConfig config, LimitsTopic topic, LimitsReport report, Deque<AutoCloseable> opened) {
    private static final LongSupplier NANOS = System::nanoTime;
    private static final InstantSource CLOCK = InstantSource.system();

    LiveLimits open() {
      LiveLimits limits = null;
      try {
        limits = new LiveLimits(follower(), opened);
        return limits;
      } catch (KafkaException e) {
        throw topic.failed(e);
      } finally {
        if (limits == null) closeAll(opened);
      }
    }

    private Follower follower() {
      LimitsInForce configured = LimitsInForce.of(config);
      InstanceRecord own =
          new InstanceRecord(
              UUID.randomUUID().toString(),
              configured.digest(0),
              new LimitWords(config).lines(),
              CLOCK.millis());
      InstanceDigests peers = new InstanceDigests(own, NANOS, report);
      Reading reading = new Reading(configured, peers, report, CLOCK);
      Staleness staleness = new Staleness(topic.name(), report, CLOCK);
      Follower follower = new Follower(log(), reading, staleness, NANOS);
      opened.push(follower);
      follower.start();
      LOG.info("{} has {} revisions of limits", topic.name(), follower.known().size());
      announce(own);
      DigestWatch digests = new DigestWatch(follower::known, report, CLOCK, NANOS);
      opened.push(Ticks.start("sluice-limits-digest", DigestWatch.EVERY_SECONDS, digests::look));
      return follower;
    }

    private LimitsLog log() {
      Admin admin = topic.admin();
      opened.push(() -> admin.close(Duration.ZERO));
      return new LimitsLog(
          topic.partition(),
          topic.reader(),
          () -> topic.id(admin),
          () -> topic.deletionsLastMs(admin),
          CLOCK,
          NANOS);
    }

    private void announce(InstanceRecord own) {
      Announcer announcer =
          new Announcer(topic.name(), own, topic.writer(), topic::unwritable, CLOCK);
      opened.push(announcer);
      opened.push(
          Ticks.start("sluice-limits-announcer", Announcer.EVERY_SECONDS, announcer::announce));
    }
  }

  @Override
  public LimitsInForce now() {
    return current.now();
  }

  @Override
  public LimitsInForce known() {
    return current.known();
  }

  @Override
  public void close() {
    closeAll(opened);
  }

  private static void closeAll(Deque<AutoCloseable> opened) {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        LOG.warn("closing live limits failed", e);
      }
    }
  }
}
