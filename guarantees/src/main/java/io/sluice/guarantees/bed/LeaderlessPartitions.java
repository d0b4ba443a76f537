package io.sluice.guarantees.bed;

import java.lang.invoke.MethodHandles;
import java.util.Optional;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;
import net.bytebuddy.pool.TypePool;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.metadata.MetadataCache;

/**
 * Patches the Kafka broker in this process against KAFKA-20734, an open bug of Kafka up to 4.4.0,
 * due to which the broker leaves transactions open.
 */
final class LeaderlessPartitions {
  /*
   * Class that is patched. Up to Kafka 3, the leader of a partition without a leader was
   * Node.noNode(), and the transaction coordinator waited with the end marker of a transaction
   * until there was a leader. Now such a partition is reported like a partition that does not
   * exist: the coordinator takes it for deleted, skips the end marker, and marks the transaction as
   * complete. A broker that is killed while it ends a transaction gets into this situation after
   * its restart: some seconds later, the controller removes the leadership of the broker's former
   * process.
   */
  private static final String CACHE = "org.apache.kafka.metadata.KRaftMetadataCache";

  private LeaderlessPartitions() {}

  /** Patches the class of Kafka's metadata cache. Must be called before this class is loaded. */
  static void waitForTheirLeader() {
    ClassFileLocator classes = ClassFileLocator.ForClassLoader.ofSystemLoader();
    TypeDescription cache = TypePool.Default.of(classes).describe(CACHE).resolve();
    try {
      new ByteBuddy()
          .redefine(cache, classes)
          .visit(Advice.to(Mended.class).on(ElementMatchers.named("getPartitionLeaderEndpoint")))
          .make()
          .load(
              LeaderlessPartitions.class.getClassLoader(),
              ClassLoadingStrategy.UsingLookup.of(
                  MethodHandles.privateLookupIn(MetadataCache.class, MethodHandles.lookup())));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Kafka's class cannot be mended", e);
    }
  }

  /**
   * Code that is inlined at the exit of the patched method: returns {@code Node.noNode()} as the
   * leader if a partition exists and has no leader.
   */
  static final class Mended {
    private Mended() {}

    @Advice.OnMethodExit
    static void knownIfItExists(
        @Advice.This MetadataCache cache,
        @Advice.Argument(0) String topic,
        @Advice.Argument(1) int partition,
        @Advice.Return(readOnly = false) Optional<Node> leader) {
      if (leader.isEmpty() && cache.contains(new TopicPartition(topic, partition))) {
        leader = Optional.of(Node.noNode());
      }
    }
  }
}
