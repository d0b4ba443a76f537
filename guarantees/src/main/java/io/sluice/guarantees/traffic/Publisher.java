package io.sluice.guarantees.traffic;

import io.sluice.guarantees.scenario.Described;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Publishes events at a steady rate during a test run, also while the broker is down: sends then
 * wait.
 */
public final class Publisher implements AutoCloseable {
  private static final int TICK_MS = 20;
  private static final int POISON_IN = 100;
  private static final int ODD_IN = 100;
  private static final int CHANGING_IN = 8;
  private static final int MOST_WAITING_MS = 600_000;
  private static final int LARGE_BYTES = 100_000;
  private static final int LARGEST_BYTES = 16_000_000;

  private final KafkaProducer<byte[], byte[]> plain;
  private final KafkaProducer<byte[], byte[]> compressing;
  private final EventMaker events;
  private final Poison poison;
  private final Oddities oddities;
  private final ChangingEvents changing;
  private final QueueEvents queued;
  private final FaultEvents ofFaults;
  private final SplittableRandom random;
  private final double perTick;
  private final ScheduledExecutorService steady = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile long stepMs;
  private final AtomicInteger poisonsDue = new AtomicInteger();
  private final AtomicInteger largeDue = new AtomicInteger();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private double due;

  public Publisher(
      String bootstrapServers, List<String> topics, SplittableRandom random, int perSecond) {
    plain = producer(bootstrapServers, Map.of());
    compressing =
        producer(
            bootstrapServers,
            Map.of("compression.type", "gzip", "max.request.size", LARGEST_BYTES));
    Numbers numbers = new Numbers();
    events = new EventMaker(topics, random.split(), numbers);
    poison = new Poison(topics, random.split(), numbers);
    oddities = new Oddities(topics, random.split(), numbers);
    changing = new ChangingEvents(topics, random.split(), numbers);
    queued = new QueueEvents(topics, random.split(), numbers);
    ofFaults = new FaultEvents(topics, random.split(), numbers);
    this.random = random;
    perTick = perSecond * TICK_MS / 1_000.0;
  }

  static KafkaProducer<byte[], byte[]> producer(String bootstrapServers, Map<String, Object> more) {
    Map<String, Object> settings =
        new HashMap<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "linger.ms",
                5,
                "acks",
                "all",
                // One request at a time: after a kill, the broker knows only the last batch of each
                // producer, and permanently refuses earlier batches that are sent again although it
                // has them.
                "max.in.flight.requests.per.connection",
                1,
                "delivery.timeout.ms",
                MOST_WAITING_MS,
                "max.block.ms",
                MOST_WAITING_MS));
    settings.putAll(more);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  public void start() {
    var unused = steady.scheduleAtFixedRate(this::tickOrFail, 0, TICK_MS, TimeUnit.MILLISECONDS);
  }

  /**
   * Publishes the records of one tick, and keeps an exception for {@link #stop}, because the
   * scheduler would end silently.
   */
  private void tickOrFail() {
    try {
      tick();
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
      throw e;
    }
  }

  private void tick() {
    long nowMs = System.currentTimeMillis();
    for (due += perTick; due > 0; ) {
      List<Sent> burst = events.burst(nowMs + stepMs, nowMs);
      due -= burst.size();
      burst.forEach(this::send);
      if (random.nextInt(CHANGING_IN) < burst.size()) send(changing.next(nowMs + stepMs, nowMs));
      if (random.nextInt(POISON_IN) < burst.size()) send(poison.next(nowMs));
      if (random.nextInt(ODD_IN) < burst.size()) send(oddities.ofTime(nowMs));
    }
    queued.next(nowMs).forEach(this::send);
    for (int left = poisonsDue.getAndSet(0); left > 0; left--) send(poison.next(nowMs));
    for (int left = largeDue.getAndSet(0); left > 0; left--) send(oddities.ofSize(nowMs));
  }

  private void send(Sent sent) {
    send(sent, refusal -> {});
  }

  private void send(Sent sent, Consumer<Exception> then) {
    byte[] value = sent.record().value();
    boolean large = value != null && value.length > LARGE_BYTES;
    var unused =
        (large ? compressing : plain)
            .send(
                sent.record(),
                (metadata, refusal) -> {
                  if (refusal == null) acknowledged.incrementAndGet();
                  then.accept(refusal);
                });
  }

  /** Publishes events that a fault needs, and returns them when the broker has acknowledged all. */
  public List<Described> publish(FaultEvents.Wanted wanted) throws InterruptedException {
    CompletableFuture<List<Sent>> made = new CompletableFuture<>();
    List<CompletableFuture<Void>> sends = new ArrayList<>();
    steady.execute(
        () -> {
          List<Sent> all = wanted.make(ofFaults, System.currentTimeMillis());
          for (Sent each : all) {
            CompletableFuture<Void> sent = new CompletableFuture<>();
            sends.add(sent);
            send(each, refusal -> complete(sent, refusal));
          }
          made.complete(all);
        });
    try {
      List<Sent> all = made.get();
      CompletableFuture.allOf(sends.toArray(CompletableFuture<?>[]::new)).get();
      return all.stream().map(Sent::described).toList();
    } catch (ExecutionException e) {
      throw new IllegalStateException("publishing failed", e);
    }
  }

  private static void complete(CompletableFuture<Void> sent, Exception refusal) {
    if (Objects.isNull(refusal)) sent.complete(null);
    else sent.completeExceptionally(refusal);
  }

  /** Returns events that were published a short time ago and probably wait in line. */
  public List<Described> recentlyQueued() {
    return queued.recent();
  }

  /** Sets the error of all users' clocks, in milliseconds. */
  public void stepClock(long millis) {
    stepMs = millis;
  }

  /** Publishes {@code count} records that are not events with the next tick. */
  public void poison(int count) {
    poisonsDue.set(count);
  }

  /**
   * Publishes {@code count} events near or above the maximum size of records with the next tick.
   */
  public void large(int count) {
    largeDue.set(count);
  }

  /** Stops publishing, and returns when the broker has acknowledged all records. */
  public void stop() throws InterruptedException {
    steady.shutdown();
    boolean ended = steady.awaitTermination(MOST_WAITING_MS, TimeUnit.MILLISECONDS);
    if (!ended) throw new IllegalStateException("the publisher does not end");
    if (failure.get() != null) throw new IllegalStateException("publishing failed", failure.get());
    plain.flush();
    compressing.flush();
  }

  /** Returns the number of records that the broker has acknowledged. */
  public long acknowledged() {
    return acknowledged.get();
  }

  @Override
  public void close() {
    steady.shutdownNow();
    plain.close(Duration.ZERO);
    compressing.close(Duration.ZERO);
  }
}
