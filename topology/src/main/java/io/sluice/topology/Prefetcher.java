package io.sluice.topology;

import io.sluice.limiter.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Has the events of a whole poll metered in Redis before any of them is processed: as few round
 * trips as possible instead of one an event.
 */
final class Prefetcher {
  private final Set<String> inputs;
  private final String delayed;
  private final Metered metered;
  private final EventOpener opener;

  Prefetcher(Topics topics, Metered metered, EventOpener opener) {
    inputs = Set.copyOf(topics.inputs());
    delayed = topics.delayed();
    this.metered = metered;
    this.opener = opener;
  }

  /** Called on the stream thread that will process these records. */
  void prefetch(ConsumerRecords<byte[], byte[]> polled) {
    Prefetched prefetched = metered.prefetched().get();
    List<Question> questions = new ArrayList<>(polled.count());
    try {
      open(polled, prefetched, questions);
    } catch (SchemasUnavailableException e) {
      // The rest is opened and asked about at its turn: there the thread may fail, here it may not.
    }
    if (!questions.isEmpty()) metered.breaker().askAhead(questions);
  }

  private void open(
      ConsumerRecords<byte[], byte[]> polled, Prefetched prefetched, List<Question> questions) {
    for (TopicPartition partition : polled.partitions()) {
      if (partition.topic().equals(delayed)) continue; // metered before; says nothing of time
      boolean input = inputs.contains(partition.topic());
      for (ConsumerRecord<byte[], byte[]> record : polled.records(partition)) {
        if (input) open(prefetched, partition, record).ifPresent(questions::add);
        else prefetched.clockMs(partition.partition(), record.timestamp());
      }
    }
  }

  private Optional<Question> open(
      Prefetched prefetched, TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
    Event event = new Event(record.value());
    opener.open(event, EventOpener.origin(record), record.timestamp());
    prefetched.put(partition, record.offset(), event);
    if (event.isFaulty()) return Optional.empty();
    long clockMs = prefetched.clockMs(partition.partition(), event.view().occurredAtMs());
    long nowMs = metered.byWallClock() ? opener.wallMs() : clockMs;
    List<Limit> remote = Metered.matching(metered.remote(), event.view());
    if (remote.isEmpty()) return Optional.empty();
    List<Claim> claims = Metered.claims(remote, event.view());
    if (metered.countsHere(event.view()) || prefetched.isBehind(partition, claims)) {
      prefetched.fallBehind(partition, record.offset(), claims);
      return Optional.empty();
    }
    Question question =
        metered.question(partition.partition(), event.view(), nowMs, remote, claims);
    event.asks(question);
    return Optional.of(question);
  }
}
