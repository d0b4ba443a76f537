package io.sluice.cli;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Simulated users that read and post while the demo keeps running, some of them far too often. They
 * send no replies, so that the limit on replies stays free for the person who tries the demo.
 */
final class DemoUsers implements AutoCloseable {
  private static final int EVERY_MS = 50;
  private static final int USERS = 200;

  private final String topic;
  private final InstantSource clock = InstantSource.system();
  private final SplittableRandom random = new SplittableRandom(1);
  private final KafkaProducer<String, String> producer;
  private final ScheduledExecutorService acting =
      Executors.newSingleThreadScheduledExecutor(DemoUsers::thread);

  private DemoUsers(String bootstrapServers, String topic) {
    this.topic = topic;
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 5),
            new StringSerializer(),
            new StringSerializer());
  }

  static DemoUsers start(String bootstrapServers, String topic) {
    DemoUsers users = new DemoUsers(bootstrapServers, topic);
    var unused = users.acting.scheduleAtFixedRate(users::act, 0, EVERY_MS, TimeUnit.MILLISECONDS);
    return users;
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "demo-users");
    thread.setDaemon(true);
    return thread;
  }

  private void act() {
    String user = "user-" + (int) Math.pow(USERS, random.nextDouble());
    String action = random.nextInt(3) == 0 ? "post" : "blog";
    String json =
        "{\"userId\":\"%s\",\"action\":\"%s\",\"occurredAt\":%d}"
            .formatted(user, action, clock.millis());
    var unused = producer.send(new ProducerRecord<>(topic, user, json));
  }

  @Override
  public void close() {
    acting.shutdownNow();
    producer.close(Duration.ZERO);
  }
}
