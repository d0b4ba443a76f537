package io.sluice.spring.live;

import io.sluice.live.RevisionFollower;
import io.sluice.live.kafka.FollowedTopic;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.spring.settings.ConfiguredLimits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.context.SmartLifecycle;

/**
 * Limits in force: the limits of the configuration, as changed by the revisions (dated changes) in
 * the topic of a Sluice application. Starts to read the topic before the application serves
 * requests, and stops last. Thread-safe; reads of the limits never block.
 */
public final class FollowedLimits implements CurrentLimits, SmartLifecycle, AutoCloseable {
  /**
   * Maximum time to wait at start until the revisions (dated changes of limits) are read. The wait
   * ensures that a blocked caller stays blocked when the application restarts.
   */
  private static final Duration MOST_AT_START = Duration.ofSeconds(5);

  private final LimitsInForce written;
  private final Optional<FollowedTopic> topic;
  private final InstantSource clock;
  private volatile CurrentLimits current;
  private volatile Optional<RevisionFollower> follower = Optional.empty();

  public FollowedLimits(ConfiguredLimits configured, InstantSource clock) {
    written = configured.written();
    topic = configured.followed();
    current = () -> written;
    this.clock = clock;
  }

  @Override
  public LimitsInForce now() {
    return current.now();
  }

  /**
   * Returns the reader of the topic of revisions (dated changes of limits); empty if it is not
   * running.
   */
  public Optional<RevisionFollower> follower() {
    return follower;
  }

  /**
   * Whether the limits contain all revisions (dated changes) written so far, as far as the reader
   * of their topic can tell; true without such a topic.
   */
  public boolean isCurrent() {
    return follower.map(each -> each.standing().current()).orElse(true);
  }

  @Override
  public synchronized void start() {
    if (topic.isEmpty() || isRunning()) return;
    RevisionFollower begun = new RevisionFollower(written, now(), topic.get(), clock);
    follower = Optional.of(begun);
    begun.start();
    begun.awaitKnown(MOST_AT_START);
    current = begun;
  }

  /**
   * Stops reading the topic of revisions (dated changes of limits); the limits in force at that
   * time stay.
   */
  @Override
  public synchronized void stop() {
    follower.ifPresent(RevisionFollower::close);
    follower = Optional.empty();
  }

  @Override
  public boolean isRunning() {
    return follower.isPresent();
  }

  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }

  @Override
  public void close() {
    stop();
  }
}
