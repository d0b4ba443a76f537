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
 * A mend for a fault of Kafka up to 4.4.0 in the broker of this process, which otherwise forgets to
 * end transactions: KAFKA-20734, which is open.
 */
final class LeaderlessPartitions {
  /*
   * A partition that has no leader for the moment has one that is not known, Node.noNode(), and the
   * transaction coordinator waits with its end of a transaction until there is one. So it was up to
   * Kafka 3; now such a partition is answered like one that does not exist, and the coordinator takes
   * it for deleted, leaves its end of the transaction unwritten, and has the transaction as complete.
   * A broker that is shot down with a transaction on its way to its end gets there when it is started
   * again: the controller takes the leadership from its former life some seconds later.
   */
  private static final String CACHE = "org.apache.kafka.metadata.KRaftMetadataCache";

  private LeaderlessPartitions() {}

  /** To be called before anything else loads the class. */
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

  /** What is done when the method returns; it becomes a part of the method. */
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
