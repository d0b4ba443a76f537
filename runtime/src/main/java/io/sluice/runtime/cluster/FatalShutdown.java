package io.sluice.runtime.cluster;

import static org.apache.kafka.streams.CloseOptions.GroupMembershipOperation.LEAVE_GROUP;

import io.sluice.live.kafka.Failure;
import io.sluice.runtime.monitoring.Health;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shutdown of an instance after a failure. It is logged once, in one line, and takes seconds at
 * most.
 */
final class FatalShutdown {
  private static final Logger LOG = LoggerFactory.getLogger(FatalShutdown.class);
  private static final Duration MOST_CLOSING = Duration.ofSeconds(8);

  private final KafkaStreams streams;
  private final AccessCheck access;
  private final Health health;
  private final Runnable ended;
  private final AtomicReference<String> line = new AtomicReference<>("");

  /**
   * Prepares the shutdown of an instance.
   *
   * @param ended called when the shutdown is over, even if Kafka Streams has not ended in time
   */
  FatalShutdown(KafkaStreams streams, AccessCheck access, Health health, Runnable ended) {
    this.streams = streams;
    this.access = access;
    this.health = health;
    this.ended = ended;
  }

  /**
   * Starts the shutdown on another thread and returns, since the calling thread may have to end
   * itself.
   */
  void by(Failure failure) {
    start(() -> end(access.explain(failure)));
  }

  /** Starts the shutdown with a reason that is already a text for the log. */
  void by(String why) {
    start(() -> end(why));
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "sluice-ending");
    thread.setDaemon(true);
    thread.start();
  }

  private void end(String why) {
    // Only the first failure is reported: other threads may fail for the same reason.
    if (!line.compareAndSet("", why)) return;
    LOG.error("{}", why);
    health.failed(why);
    streams.close(CloseOptions.groupMembershipOperation(LEAVE_GROUP).withTimeout(MOST_CLOSING));
    ended.run();
  }

  /** Failure that ended the instance or is ending it, in one line; empty if none did. */
  Optional<String> why() {
    if (!line.get().isEmpty()) return Optional.of(line.get());
    return streams.state() == KafkaStreams.State.ERROR
        ? Optional.of("Kafka Streams has failed; the log says why")
        : Optional.empty();
  }
}
