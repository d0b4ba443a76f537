package io.sluice.bench.run;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A note of when an application got its first record. Made by Kafka, by its name, and so known to
 * others by the group it is in.
 */
public final class FirstPoll implements ConsumerInterceptor<Object, Object> {
  private static final Map<String, Long> FIRST_MS = new ConcurrentHashMap<>();

  private final InstantSource clock = InstantSource.system();
  private String group = "";
  private boolean noted;

  /** Epoch milliseconds, as the broker stamps what comes out. */
  public static long atMs(String applicationId) {
    Long atMs = FIRST_MS.remove(applicationId);
    if (atMs == null) throw new IllegalStateException(applicationId + " has got nothing");
    return atMs;
  }

  @Override
  public void configure(Map<String, ?> settings) {
    group = String.valueOf(settings.get("group.id"));
  }

  @Override
  public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
    if (!noted && !records.isEmpty()) {
      noted = true;
      FIRST_MS.putIfAbsent(group, clock.millis());
    }
    return records;
  }

  @Override
  public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

  @Override
  public void close() {}
}
