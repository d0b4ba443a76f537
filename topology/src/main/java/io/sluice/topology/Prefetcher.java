package io.sluice.topology;

import io.sluice.limiter.Claim;
import io.sluice.limiter.redis.Position;
import java.util.Collections;
import java.util.Iterator;
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
  private final HomePartition home;
  private final List<Limit> homed;

  Prefetcher(Topics topics, Metered metered, EventOpener opener, HomePartition home) {
    inputs = Set.copyOf(topics.inputs());
    delayed = topics.delayed();
    this.metered = metered;
    this.opener = opener;
    this.home = home;
    homed = metered.countedHere();
  }

  /** Called on the stream thread that will process these records. */
  void prefetch(ConsumerRecords<byte[], byte[]> polled) {
    metered.breaker().askAhead(new Questions(metered.prefetched().get(), polled));
  }

  /**
   * Opens the records one after another, as questions are asked for: while Redis answers others.
   */
  private final class Questions implements Iterator<Question> {
    private final Prefetched prefetched;
    private Iterator<ConsumerRecord<byte[], byte[]>> records;
    private Optional<Question> next;

    Questions(Prefetched prefetched, ConsumerRecords<byte[], byte[]> polled) {
      this.prefetched = prefetched;
      records = polled.iterator();
      next = find();
    }

    private Optional<Question> find() {
      Optional<Question> found = Optional.empty();
      try {
        while (found.isEmpty() && records.hasNext()) found = open(prefetched, records.next());
      } catch (SchemasUnavailableException e) {
        // The rest is opened and asked about at its turn: there the thread may fail, here it may
        // not.
        records = Collections.emptyIterator();
      }
      return found;
    }

    @Override
    public boolean hasNext() {
      return next.isPresent();
    }

    @Override
    public Question next() {
      Question question = next.orElseThrow();
      next = find();
      return question;
    }
  }

  private Optional<Question> open(Prefetched prefetched, ConsumerRecord<byte[], byte[]> record) {
    if (record.topic().equals(delayed)) return Optional.empty(); // says nothing of time
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    if (!inputs.contains(record.topic())) { // what has hopped home
      prefetched.clockMs(record.partition(), record.timestamp());
      return Optional.empty();
    }
    Event event = new Event(record.value());
    opener.open(event, EventOpener.origin(record), record.timestamp());
    prefetched.put(partition, record.offset(), event);
    if (event.isFaulty()) return Optional.empty();
    long clockMs = prefetched.clockMs(partition.partition(), event.view().occurredAtMs());
    long nowMs = metered.byWallClock() ? opener.wallMs() : clockMs;
    // One that is not at home is asked about there: twice would be once too often.
    if (!home.accepts(event, partition.partition(), homed)) return Optional.empty();
    List<Limit> remote = Metered.matching(metered.remote(), event.view());
    if (remote.isEmpty()) return Optional.empty();
    List<Claim> claims = Metered.claims(remote, event.view());
    if (metered.countsHere(event.view()) || prefetched.isBehind(partition, claims)) {
      prefetched.fallBehind(partition, record.offset(), claims);
      return Optional.empty();
    }
    Position position = metered.sequences().ahead(partition, record.offset());
    Question question =
        metered.question(partition.partition(), event.view(), nowMs, remote, claims, position);
    event.asks(question);
    return Optional.of(question);
  }
}
