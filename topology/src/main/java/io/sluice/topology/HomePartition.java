package io.sluice.topology;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Where an event is metered: the partition that Kafka's default partitioner chooses for the value
 * of the field that all state-store limits share, so a producer that keys by it hits home by
 * itself.
 */
final class HomePartition implements StreamPartitioner<byte[], Event> {
  private final Field field;
  private final int partitions;

  HomePartition(Field field, int partitions) {
    this.field = field;
    this.partitions = partitions;
  }

  int of(Event event) {
    byte[] key = field.of(event.view()).getBytes(StandardCharsets.UTF_8);
    return Utils.toPositive(Utils.murmur2(key)) % partitions;
  }

  @Override
  public Optional<Set<Integer>> partitions(String topic, byte[] key, Event event, int count) {
    return Optional.of(Set.of(of(event)));
  }
}
