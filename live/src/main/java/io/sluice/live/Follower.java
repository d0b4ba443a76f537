package io.sluice.live;

import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread that follows the topic of revisions, and supplier of the limits in force from the
 * revisions that it has read.
 */
final class Follower implements CurrentLimits, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
  private static final Duration START_PATIENCE = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration REST = Duration.ofMillis(150);
  private static final long CLOSING_MS = 2_000;

  private final LimitsLog log;
  private final Reading reading;
  private final Staleness staleness;
  private final Freshness freshness;
  private final LongSupplier nanos;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::follow, "sluice-limits");
  private volatile LimitsInForce inForce;

  /** Whether the topic must be read from its beginning next. */
  private boolean rereads = true;

  /**
   * Creates a follower that is not started.
   *
   * @param log closed by this follower
   */
  Follower(LimitsLog log, Reading reading, Staleness staleness, LongSupplier nanos) {
    this.log = log;
    this.reading = reading;
    this.staleness = staleness;
    this.nanos = nanos;
    freshness = new Freshness(nanos, staleness);
    inForce = reading.inForce();
  }

  @Override
  public LimitsInForce now() {
    freshness.await();
    return inForce;
  }

  @Override
  public LimitsInForce known() {
    return inForce;
  }

  /** Reads the whole topic of revisions, and then starts the thread that follows it. */
  void start() {
    while (rereads) round(START_PATIENCE);
    thread.setDaemon(true);
    thread.start();
  }

  private void follow() {
    try {
      while (closed.getCount() > 0) tryRound();
    } finally {
      log.close();
    }
  }

  /**
   * Reads up to the end of the topic, then polls for new records. Handles every failure, so that
   * only {@link #close} ends the thread.
   */
  void tryRound() {
    long beganNanos = nanos.getAsLong();
    try {
      round(PATIENCE);
      if (rereads) return;
      reading.take(log.poll(REST));
      inForce = reading.made();
    } catch (WakeupException e) {
      LOG.debug("it is time to end", e);
    } catch (InvalidOffsetException e) {
      reread(e.getMessage());
    } catch (RuntimeException | Error e) {
      // Errors such as lack of memory are handled too, since the thread must continue.
      failed(e, beganNanos);
    }
  }

  /**
   * Reads up to the current end of the topic, from its beginning if necessary, and then confirms
   * that the limits are fresh.
   */
  void round(Duration patience) {
    long askedNanos = nanos.getAsLong();
    if (!rereads && log.isAnother()) reread("the topic was created again");
    if (rereads) restart(patience);
    long end = log.end(patience);
    if (end < log.position()) {
      reread("its end is offset " + end + ", but it was read to offset " + log.position());
      return;
    }
    log.readTo(end, patience, reading);
    if (log.mayHaveMissedDeletions()) {
      reread("deletions of revisions may have been missed since the last read");
      return;
    }
    log.confirmed();
    inForce = reading.made();
    freshness.confirm(askedNanos);
    staleness.confirmed();
  }

  private void restart(Duration patience) {
    log.fromBeginning(patience);
    reading.restart();
    rereads = false;
  }

  private void reread(String why) {
    LOG.warn("{} is read again from its beginning: {}", log.name(), why);
    rereads = true;
  }

  private void failed(Throwable e, long beganNanos) {
    if (staleness.failed(e, beganNanos, nanos.getAsLong())) freshness.giveUp();
    if (Thread.interrupted()) LOG.debug("only close() ends this thread");
    try {
      if (closed.await(REST.toMillis(), TimeUnit.MILLISECONDS)) LOG.debug("closed");
    } catch (InterruptedException interrupted) {
      LOG.debug("only close() ends this thread", interrupted);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    freshness.close();
    if (!thread.isAlive()) {
      log.close();
      return;
    }
    log.wakeup();
    try {
      thread.join(CLOSING_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
