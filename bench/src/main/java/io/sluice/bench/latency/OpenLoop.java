package io.sluice.bench.latency;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.bench.input.Input;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Publisher of events at a fixed rate, independent of the application's speed. */
final class OpenLoop {
  /*
   * Each event carries the time at which it was due, from which its latency is measured. So a delay
   * of the publisher counts as latency of the events that were due meanwhile, which avoids
   * coordinated omission.
   */
  static final String DUE = "due-nanos";

  private final String topic;
  private final long first;
  private final long gapNanos;
  private final long events;
  private final InstantSource clock = InstantSource.system();

  /**
   * @param first number of the first event; an event whose number was used before is a duplicate
   */
  OpenLoop(String topic, long first, int perSecond, long events) {
    this.topic = topic;
    this.first = first;
    this.gapNanos = 1_000_000_000L / perSecond;
    this.events = events;
  }

  void publish(String bootstrapServers) {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.partitionsFor(topic);
      long begin = System.nanoTime();
      for (long i = 0; i < events; i++) {
        long due = begin + i * gapNanos;
        for (long wait; (wait = due - System.nanoTime()) > 0; ) LockSupport.parkNanos(wait);
        // The result of the send is not awaited, because a failed send shows as a missing event at
        // the consumer.
        var unused = producer.send(event(first + i, due));
      }
    }
  }

  private ProducerRecord<byte[], byte[]> event(long number, long dueNanos) {
    String user = "user-" + number % Input.FEW;
    UserAction action =
        UserAction.newBuilder()
            .setEventId("event-" + number)
            .setUserId(user)
            .setAction("post")
            .setOccurredAt(clock.instant())
            .build();
    ProducerRecord<byte[], byte[]> event =
        new ProducerRecord<>(topic, user.getBytes(UTF_8), UserActionCodec.encode(action));
    event.headers().add(DUE, ByteBuffer.allocate(Long.BYTES).putLong(dueNanos).array());
    return event;
  }
}
