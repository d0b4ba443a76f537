package io.sluice.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publishes all the time, and goes on while the broker is gone: its sends wait. */
final class Publisher implements AutoCloseable {
  private static final int TICK_MS = 20;
  private static final int POISON_IN = 100;
  private static final int MOST_WAITING_MS = 600_000;

  private final KafkaProducer<byte[], byte[]> producer;
  private final EventMaker maker;
  private final SplittableRandom random;
  private final double perTick;
  private final ScheduledExecutorService steady = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile long stepMs;
  private final AtomicInteger poisonsDue = new AtomicInteger();
  private double due;

  Publisher(String bootstrapServers, EventMaker maker, SplittableRandom random, int perSecond) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", bootstrapServers,
            "linger.ms", 5,
            "acks", "all",
            "delivery.timeout.ms", MOST_WAITING_MS,
            "max.block.ms", MOST_WAITING_MS);
    producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    this.maker = maker;
    this.random = random;
    perTick = perSecond * TICK_MS / 1_000.0;
  }

  void start() {
    var unused = steady.scheduleAtFixedRate(this::tick, 0, TICK_MS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    long nowMs = System.currentTimeMillis() + stepMs;
    for (due += perTick; due > 0; ) {
      List<ProducerRecord<byte[], byte[]>> burst = maker.burst(nowMs);
      due -= burst.size();
      burst.forEach(this::send);
      if (random.nextInt(POISON_IN) < burst.size()) send(maker.poison(nowMs));
    }
    for (int left = poisonsDue.getAndSet(0); left > 0; left--) send(maker.poison(nowMs));
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    var unused =
        producer.send(
            record,
            (metadata, failure) -> {
              if (failure == null) acknowledged.incrementAndGet();
            });
  }

  /** From now on the clocks of all users are wrong by so much. */
  void stepClock(long millis) {
    stepMs = millis;
  }

  /** Soon there are so many records that are no events. */
  void poison(int count) {
    poisonsDue.set(count);
  }

  /** Publishes no more, and returns when the broker has everything. */
  void stop() throws InterruptedException {
    steady.shutdown();
    boolean ended = steady.awaitTermination(MOST_WAITING_MS, TimeUnit.MILLISECONDS);
    if (!ended) throw new IllegalStateException("the publisher does not end");
    producer.flush();
  }

  /** How many records the broker has acknowledged. */
  long acknowledged() {
    return acknowledged.get();
  }

  @Override
  public void close() {
    steady.shutdownNow();
    producer.close(Duration.ZERO);
  }
}
