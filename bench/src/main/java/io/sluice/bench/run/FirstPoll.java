package io.sluice.bench.run;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Consumer interceptor that records the time at which an application got its first record. Kafka
 * creates the interceptor by its class name, so the times are static and are looked up by consumer
 * group.
 */
public final class FirstPoll implements ConsumerInterceptor<Object, Object> {
  private static final Map<String, Long> FIRST_MS = new ConcurrentHashMap<>();

  private final InstantSource clock = InstantSource.system();
  private String group = "";
  private boolean noted;

  /**
   * Returns the time of an application's first record, in epoch milliseconds, and forgets it. It
   * can be compared with the broker's timestamps of the output.
   */
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
