package io.sluice.streams;

import io.sluice.topology.ThrottleNodes;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.Nodes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * Connects the nodes of a throttled stream: entry, repartition, the metering nodes of the
 * standalone Sluice application, and exits.
 */
record Wiring<K, V>(ThrottleNodes nodes, Serialized<K, V> serialized) {
  /**
   * Name of the node that merges records allowed immediately with records released after a delay.
   */
  private static final String OUT = "out";

  private static final String ODD = "odd";

  Throttled<K, V> of(
      StreamsBuilder builder,
      KStream<K, V> stream,
      ProcessorSupplier<K, V, byte[], EventRecord> entry,
      int partitions,
      String delayedTopic) {
    KStream<byte[], EventRecord> entered = stream.process(entry, name(Nodes.INTAKE));
    ThrottleNodes.Metered metered =
        nodes.meter(builder, nodes.hop(entered, partitions), delayedTopic);
    KStream<K, V> atOnce = exit(metered.judged(), Nodes.ALLOWED);
    KStream<K, V> later = exit(metered.waited(), Nodes.RELEASED);
    return new Throttled<>(
        atOnce.merge(later, name(OUT)),
        exit(metered.judged(), Nodes.REJECTED),
        odd(metered.judged(), Nodes.DEAD_LETTERS)
            .merge(odd(metered.waited(), Nodes.UNSCHEDULED), name(ODD)));
  }

  private KStream<K, V> exit(KStream<byte[], EventRecord> from, String node) {
    return from.process(() -> new ExitProcessor<>(serialized), name(node));
  }

  private KStream<byte[], byte[]> odd(KStream<byte[], EventRecord> from, String node) {
    return from.process(OddProcessor::new, name(node));
  }

  private Named name(String node) {
    return Named.as(nodes.prefix() + node);
  }
}
