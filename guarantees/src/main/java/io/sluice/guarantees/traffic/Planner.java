package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Revision;
import io.sluice.guarantees.scenario.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjLongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Publishes revisions (dated changes of limits) at a steady rate during a test run, also while the
 * broker is down: sends then wait.
 */
public final class Planner implements AutoCloseable {
  private static final int TICK_MS = 350;
  private static final int MOST_WAITING_MS = 600_000;

  private final KafkaProducer<byte[], byte[]> producer;
  private final RevisionMaker revisions;
  private final ObjLongConsumer<Revision> acknowledged;
  private final ScheduledExecutorService steady = Executors.newSingleThreadScheduledExecutor();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

  /**
   * @param acknowledged receives each revision that the broker has acknowledged, with the time of
   *     acknowledgement in epoch milliseconds
   */
  public Planner(
      String bootstrapServers, SplittableRandom random, ObjLongConsumer<Revision> acknowledged) {
    producer = Publisher.producer(bootstrapServers, Map.of());
    revisions = new RevisionMaker(random);
    this.acknowledged = acknowledged;
  }

  public void start() {
    var unused = steady.scheduleAtFixedRate(this::tickOrFail, 0, TICK_MS, TimeUnit.MILLISECONDS);
  }

  /**
   * Publishes the next revision, and keeps an exception for {@link #stop}, because the scheduler
   * would end silently.
   */
  private void tickOrFail() {
    try {
      var unused = publish(revisions.next(System.currentTimeMillis()));
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      throw e;
    }
  }

  private Future<RecordMetadata> publish(Revision revision) {
    byte[] key = revision.id().getBytes(UTF_8);
    return producer.send(
        new ProducerRecord<>(Topics.LIMITS, key, revision.value()),
        (metadata, refusal) -> {
          if (refusal == null) acknowledged.accept(revision, System.currentTimeMillis());
          else failure.compareAndSet(null, new IllegalStateException(refusal));
        });
  }

  /** Publishes a revision that a fault needs, and returns when the broker has acknowledged it. */
  public void publishNow(Revision revision) throws InterruptedException {
    try {
      publish(revision).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("planning failed", e);
    }
  }

  /** Stops publishing, and returns when the broker has acknowledged all revisions. */
  public void stop() throws InterruptedException {
    steady.shutdown();
    boolean ended = steady.awaitTermination(MOST_WAITING_MS, TimeUnit.MILLISECONDS);
    if (!ended) throw new IllegalStateException("the planner does not end");
    producer.flush();
    if (failure.get() != null) throw new IllegalStateException("planning failed", failure.get());
  }

  @Override
  public void close() {
    steady.shutdownNow();
    producer.close(Duration.ZERO);
  }
}
