package io.sluice.spring.live;

import io.sluice.spring.settings.ConfiguredLimits;
import io.sluice.topology.cluster.FollowedTopic;
import io.sluice.topology.live.RevisionFollower;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.revision.LimitsInForce;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.springframework.context.SmartLifecycle;

/**
 * The limits of the configuration as they are in force: those that are written, until a stream's
 * revisions say something else. It begins to follow them before the application serves anything,
 * and is the last to stop. Any thread may ask, and never waits.
 */
public final class LiveLimits implements CurrentLimits, SmartLifecycle, AutoCloseable {
  /** So that who is blocked stays blocked when an application starts again. */
  private static final Duration MOST_AT_START = Duration.ofSeconds(5);

  private final LimitsInForce written;
  private final Optional<FollowedTopic> topic;
  private volatile CurrentLimits current;
  private volatile Optional<RevisionFollower> follower = Optional.empty();

  public LiveLimits(ConfiguredLimits configured) {
    written = configured.written();
    topic = configured.followed();
    current = () -> written;
  }

  @Override
  public LimitsInForce now() {
    return current.now();
  }

  /** What follows the revisions; nothing if nothing does. */
  public Optional<RevisionFollower> follower() {
    return follower;
  }

  /** Whether all revisions there are are known, as far as can be told. */
  public boolean isCurrent() {
    return follower.map(each -> each.standing().current()).orElse(true);
  }

  @Override
  public synchronized void start() {
    if (topic.isEmpty() || isRunning()) return;
    RevisionFollower begun =
        new RevisionFollower(written, now(), topic.get(), InstantSource.system());
    follower = Optional.of(begun);
    begun.start();
    begun.awaitKnown(MOST_AT_START);
    current = begun;
  }

  /** What is in force by then stays so. */
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
