package io.sluice.topology.cluster;

import static org.apache.kafka.streams.CloseOptions.GroupMembershipOperation.LEAVE_GROUP;

import io.sluice.topology.metrics.Health;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of an instance by a failure: said once, in one line, and over within seconds. */
final class Ending {
  private static final Logger LOG = LoggerFactory.getLogger(Ending.class);
  private static final Duration MOST_CLOSING = Duration.ofSeconds(8);

  private final KafkaStreams streams;
  private final Access access;
  private final Health health;
  private final Runnable ended;
  private final AtomicReference<String> line = new AtomicReference<>("");

  /**
   * @param ended is told when it has ended, whether Streams has or not
   */
  Ending(KafkaStreams streams, Access access, Health health, Runnable ended) {
    this.streams = streams;
    this.access = access;
    this.health = health;
    this.ended = ended;
  }

  /** Begins it, and returns: who calls may be what has to end. */
  void by(Failure failure) {
    start(() -> end(access.explain(failure)));
  }

  /** The same, where the line is known. */
  void by(String why) {
    start(() -> end(why));
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "sluice-ending");
    thread.setDaemon(true);
    thread.start();
  }

  private void end(String why) {
    if (!line.compareAndSet("", why)) return; // other threads fail of the same
    LOG.error("{}", why);
    health.failed(why);
    streams.close(CloseOptions.groupMembershipOperation(LEAVE_GROUP).withTimeout(MOST_CLOSING));
    ended.run();
  }

  /** Why it has ended or ends, if it is by a failure. */
  Optional<String> why() {
    if (!line.get().isEmpty()) return Optional.of(line.get());
    return streams.state() == KafkaStreams.State.ERROR
        ? Optional.of("Kafka Streams has failed; the log says why")
        : Optional.empty();
  }
}
