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
 * Limits of the configuration as they are in force: as configured, then as changed by the revisions
 * of a Sluice application. Starts to follow the revisions before the application serves requests,
 * and stops last. Thread-safe; reads never block.
 */
public final class FollowedLimits implements CurrentLimits, SmartLifecycle, AutoCloseable {
  /**
   * Maximum wait for the revisions at start, so that a blocked caller stays blocked when the
   * application restarts.
   */
  private static final Duration MOST_AT_START = Duration.ofSeconds(5);

  private final LimitsInForce written;
  private final Optional<FollowedTopic> topic;
  private volatile CurrentLimits current;
  private volatile Optional<RevisionFollower> follower = Optional.empty();

  public FollowedLimits(ConfiguredLimits configured) {
    written = configured.written();
    topic = configured.followed();
    current = () -> written;
  }

  @Override
  public LimitsInForce now() {
    return current.now();
  }

  /** Returns the follower of the revisions; empty if none are followed. */
  public Optional<RevisionFollower> follower() {
    return follower;
  }

  /** Whether all revisions written so far are known, as far as the follower can tell. */
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

  /** Stops following; the limits in force at that time stay. */
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
