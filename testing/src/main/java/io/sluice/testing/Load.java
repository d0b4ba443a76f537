package io.sluice.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Generator of a steady load of events, keyed by their user, with the current time. */
public final class Load implements AutoCloseable {
  private static final int TICK_MS = 20;

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final ScheduledExecutorService steady = Executors.newSingleThreadScheduledExecutor();
  private final AtomicLong published = new AtomicLong();
  private final ConcurrentLinkedQueue<String> ids = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Future<RecordMetadata>> sent = new ConcurrentLinkedQueue<>();
  private volatile boolean pausing;

  public Load(String bootstrapServers, String topic) {
    this.topic = topic;
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 20, "acks", "all");
    producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Starts a load in which each user does each action once in {@code everyMs} milliseconds. */
  public void start(int users, int everyMs, String... actions) {
    int ticks = everyMs / TICK_MS;
    AtomicLong tick = new AtomicLong();
    var unused =
        steady.scheduleAtFixedRate(
            () -> {
              long now = tick.getAndIncrement();
              for (int user = 0; user < users && !pausing; user++) {
                if (user % ticks != now % ticks) continue;
                for (String action : actions) publish("user" + user, action);
              }
            },
            0,
            TICK_MS,
            TimeUnit.MILLISECONDS);
  }

  public void pause() {
    pausing = true;
  }

  public void resume() {
    pausing = false;
  }

  /** Publishes one event with the current time. */
  public void publish(String user, String action) {
    publish(user, action, System.currentTimeMillis());
  }

  public void publishTimes(String user, String action, int times) {
    for (int i = 0; i < times; i++) publish(user, action);
  }

  public void publish(String user, String action, long occurredAtMs) {
    String id = "e" + published.incrementAndGet();
    String json =
        "{\"eventId\":\"%s\",\"userId\":\"%s\",\"action\":\"%s\",\"occurredAt\":%d}"
            .formatted(id, user, action, occurredAtMs);
    ids.add(id);
    sent.add(
        producer.send(new ProducerRecord<>(topic, user.getBytes(UTF_8), json.getBytes(UTF_8))));
  }

  public long count() {
    return published.get();
  }

  /** Waits until the broker has all events; returns their ids. */
  public List<String> published() throws Exception {
    List<String> all = new ArrayList<>(ids);
    for (Future<RecordMetadata> each; (each = sent.poll()) != null; ) each.get();
    return all;
  }

  @Override
  public void close() {
    steady.shutdownNow();
    producer.close();
  }
}
