package io.sluice.live;

import io.sluice.live.kafka.FollowedTopic;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits of a program that is not a Kafka Streams application, changed by the revisions in the
 * topic of a Kafka Streams application. One thread reads and follows the topic, and retries after
 * failures; meanwhile the limits stay as they are. It joins no consumer group and writes nothing.
 *
 * <p>{@link #now} never waits. Thread-safe.
 */
public final class RevisionFollower implements CurrentLimits, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RevisionFollower.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration REST = Duration.ofSeconds(1);
  private static final long FIRST_PAUSE_MS = 250;
  private static final long MOST_PAUSE_MS = 5_000;
  private static final long CLOSING_MS = 2_000;

  /**
   * Age in milliseconds above which the last complete reading of the topic is not current. The next
   * reading completes earlier, unless this process is suspended or the brokers do not answer.
   */
  private static final long MOST_AGE_MS = 30_000;

  /**
   * Number of failures after which the admin client is replaced, since it does not notice changed
   * certificates.
   */
  private static final int MOST_OF_A_CLIENT = 100;

  private final FollowedTopic topic;
  private final ForeignReading reading;
  private final InstantSource clock;
  private final CountDownLatch certain = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "sluice-limits");
  private volatile LimitsInForce inForce;
  private volatile Standing standing = new Standing(false, "the topic is not read yet", 0);
  private long pauseMs = FIRST_PAUSE_MS;

  /** Admin client, which is kept for many tries, since each new client logs all its settings. */
  private Optional<Admin> admin = Optional.empty();

  private int failures;

  /**
   * State of following the topic.
   *
   * @param current whether the topic has been read to its end recently
   * @param problem reason in one line if it has not; otherwise empty
   * @param asOfMs when the topic was last read to its end, epoch milliseconds; 0 if never
   */
  public record Standing(boolean current, String problem, long asOfMs) {}

  /**
   * State after a failure that cannot be explained; allocated in advance, for when memory runs out.
   */
  private static final Standing LOST =
      new Standing(false, "the topic cannot be read, for an unknown reason", 0);

  /**
   * Creates a follower that is not started.
   *
   * @param configured limits before any revision
   * @param known limits until the topic has been read
   */
  public RevisionFollower(
      LimitsInForce configured, LimitsInForce known, FollowedTopic topic, InstantSource clock) {
    this.topic = topic;
    this.clock = clock;
    reading = new ForeignReading(configured, clock);
    inForce = known;
  }

  /** Starts the thread that follows the topic; may be called once. */
  public void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Waits until the topic has been read, or until the cluster has refused to let it be read; at
   * most for the given time.
   */
  public void awaitKnown(Duration most) {
    try {
      if (!certain.await(most.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("{} is not read yet, after {} s: {}", topic.name(), most.toSeconds(), asKnown());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public LimitsInForce now() {
    return inForce;
  }

  public Standing standing() {
    Standing last = standing;
    boolean current = last.current() && clock.millis() - last.asOfMs() <= MOST_AGE_MS;
    if (current || !last.current()) return last;
    return new Standing(
        false, "the topic was not read for " + MOST_AGE_MS / 1_000 + " s", last.asOfMs());
  }

  public String topic() {
    return topic.name();
  }

  private void run() {
    while (isOpen()) {
      try {
        follow();
      } catch (RuntimeException | Error e) {
        // Errors such as lack of memory are handled too, since the thread must continue.
        lost(e);
      }
      pause();
    }
    if (Thread.interrupted()) LOG.debug("a client of an interrupted thread cannot be closed");
    closeAdmin();
  }

  private void closeAdmin() {
    admin.ifPresent(each -> each.close(Duration.ZERO));
    admin = Optional.empty();
  }

  private void lost(Throwable e) {
    try {
      if (isOpen()) failed(e);
    } catch (RuntimeException | Error again) {
      standing = LOST;
    }
  }

  private boolean isOpen() {
    return closed.getCount() > 0;
  }

  /**
   * Follows the topic until a request fails, or until the topic must be read from its beginning.
   */
  private void follow() {
    if (admin.isEmpty()) admin = Optional.of(topic.admin());
    // Requesting the id fails if the topic does not exist, before a consumer is created.
    topic.id(admin.get());
    LimitsLog log =
        new LimitsLog(
            topic.partition(),
            topic.reader(),
            () -> topic.id(admin.get()),
            () -> topic.deletionsLastMs(admin.get()),
            clock,
            System::nanoTime);
    try {
      follow(log);
    } finally {
      if (Thread.interrupted()) LOG.debug("a client of an interrupted thread cannot be closed");
      log.close();
    }
  }

  private void follow(LimitsLog log) {
    try {
      log.fromBeginning(PATIENCE);
      reading.restart();
      while (isOpen() && !log.isAnother()) {
        long end = log.end(PATIENCE);
        if (end < log.position()) break;
        log.readTo(end, PATIENCE, reading);
        if (log.mayHaveMissedDeletions()) break;
        log.confirmed();
        confirmed(reading.made());
        reading.take(log.poll(REST));
      }
    } catch (InvalidOffsetException e) {
      LOG.debug("what is not read yet is gone", e);
    }
    if (isOpen()) LOG.warn("{} is read again from its beginning", topic.name());
  }

  private void confirmed(LimitsInForce made) {
    inForce = made;
    boolean again = !standing.current();
    standing = new Standing(true, "", clock.millis());
    pauseMs = FIRST_PAUSE_MS;
    failures = 0;
    certain.countDown();
    if (again) LOG.info("limits follow {}, which has {} revisions", topic.name(), made.size());
  }

  private void failed(Throwable e) {
    if (Thread.interrupted()) LOG.debug("only close() ends this thread");
    Standing before = standing;
    // The state is published before its reason is known: finding the reason takes as long as the
    // brokers do not answer.
    standing =
        new Standing(false, before.current() ? e.toString() : before.problem(), before.asOfMs());
    String problem = e instanceof RuntimeException known ? topic.why(known) : e.toString();
    standing = new Standing(false, problem, before.asOfMs());
    if (FollowedTopic.isCertain(e)) certain.countDown();
    if (++failures % MOST_OF_A_CLIENT == 0) closeAdmin();
    LOG.debug("{} cannot be followed", topic.name(), e);
    if (problem.equals(before.problem())) return; // the problem was logged before
    LOG.warn("{} cannot be read: {}; until it can, {}", topic.name(), problem, asKnown());
  }

  private String asKnown() {
    long asOfMs = standing.asOfMs();
    return asOfMs == 0
        ? "the configured limits are in force"
        : "limits are those of " + Instant.ofEpochMilli(asOfMs).truncatedTo(ChronoUnit.SECONDS);
  }

  private void pause() {
    try {
      if (closed.await(pauseMs, TimeUnit.MILLISECONDS)) LOG.debug("closed");
    } catch (InterruptedException e) {
      LOG.debug("only close() ends this thread", e);
    }
    pauseMs = Math.min(2 * pauseMs, MOST_PAUSE_MS);
  }

  /**
   * Stops following the topic and waits up to 2 s for the thread to end. A thread that is waiting
   * for silent brokers ends later.
   */
  @Override
  public void close() {
    closed.countDown();
    certain.countDown();
    thread.interrupt();
    try {
      thread.join(CLOSING_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
