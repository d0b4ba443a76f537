package io.sluice.guarantees.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds transactions that the Kafka broker has left open, long after every transaction timeout. A
 * broker that is killed at a certain moment can leave one open: its coordinator considers the
 * transaction complete, but a partition has no end marker. Consumers with read_committed can then
 * never read the later records of the partition.
 */
final class OpenTransactions {
  private OpenTransactions() {}

  /** Returns the open transactions, one line each. */
  static List<String> find(String bootstrapServers) throws InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      List<String> found = new ArrayList<>();
      admin
          .describeProducers(partitions(admin))
          .all()
          .get()
          .forEach(
              (partition, state) ->
                  state.activeProducers().stream()
                      .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                      .map(producer -> line(partition, producer))
                      .forEach(found::add));
      return found;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker does not say what is open", e);
    }
  }

  private static List<TopicPartition> partitions(Admin admin)
      throws ExecutionException, InterruptedException {
    var names = admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get();
    return admin.describeTopics(names).allTopicNames().get().values().stream()
        .flatMap(
            topic ->
                topic.partitions().stream()
                    .map(each -> new TopicPartition(topic.name(), each.partition())))
        .toList();
  }

  private static String line(TopicPartition partition, ProducerState producer) {
    return "%s, from offset %d on, by producer %d"
        .formatted(
            partition, producer.currentTransactionStartOffset().getAsLong(), producer.producerId());
  }
}
