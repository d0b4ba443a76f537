package io.sluice.topology.intake;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.topology.config.SluiceConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Partitioner that chooses the home partition of an event, on which the event is metered. It is the
 * partition that Kafka's default partitioner chooses for the value of the key field that all limits
 * on the state store share. So the records of a producer that keys by this field are there already.
 */
public final class HomePartitioner implements StreamPartitioner<byte[], EventRecord> {
  private final Field field;
  private final int partitions;

  public HomePartitioner(Field field, int partitions) {
    this.field = field;
    this.partitions = partitions;
  }

  public static HomePartitioner of(SluiceConfig config, int inputPartitions) {
    return new HomePartitioner(config.limits().home(), inputPartitions);
  }

  /** Returns the number of home partitions. */
  public int partitions() {
    return partitions;
  }

  public int of(EventRecord event) {
    return of(event.event());
  }

  /**
   * Returns the partition on which an event is metered. Reads only the event field that determines
   * the partition.
   */
  public int of(Event event) {
    return of(field.of(event), partitions);
  }

  /** Returns the partition that Kafka's default partitioner chooses for a key. */
  public static int of(String key, int partitions) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return Utils.toPositive(Utils.murmur2(bytes)) % partitions;
  }

  /**
   * Returns whether an event may be metered on a partition: the partition is the event's home, or
   * no limit that depends on the home partition matches the event.
   *
   * @param homed limits that depend on the home partition
   */
  public boolean accepts(EventRecord event, int partition, List<Limit> homed) {
    if (homed.isEmpty() || of(event) == partition) return true;
    for (Limit limit : homed) if (limit.match().matches(event.event())) return false;
    return true;
  }

  /**
   * Returns the home partition of an event. For a faulty record, which is not metered, returns a
   * partition that depends on the record's origin.
   */
  @Override
  public Optional<Set<Integer>> partitions(
      String topic, byte[] key, EventRecord event, Headers headers, int count) {
    if (event.isFaulty()) return Optional.of(Set.of(of(event.origin().toString(), partitions)));
    return Optional.of(Set.of(of(event)));
  }

  @Override
  @SuppressWarnings("removal") // deprecated, but abstract; the only method before Streams 4.4
  public Optional<Set<Integer>> partitions(String topic, byte[] key, EventRecord event, int count) {
    return partitions(topic, key, event, null, count);
  }
}
