package io.sluice.topology;

import io.sluice.limiter.Claim;
import io.sluice.limiter.redis.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the events of a whole poll metered in Redis before any of them is processed: as few round
 * trips as possible instead of one an event.
 */
final class Prefetcher {
  private static final Logger LOG = LoggerFactory.getLogger(Prefetcher.class);

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
    metered.breaker().askAhead(questions(polled));
  }

  /**
   * The same, but only opens the events, and has them asked about by another thread.
   *
   * @return done when they are, or when it is known that Redis is gone
   */
  CompletableFuture<Void> prefetch(ConsumerRecords<byte[], byte[]> polled, Executor asking) {
    List<Question> questions = new ArrayList<>();
    try {
      questions(polled).forEachRemaining(questions::add);
    } catch (RuntimeException e) {
      leftOpen(e);
    }
    if (questions.isEmpty()) return CompletableFuture.completedFuture(null);
    return CompletableFuture.runAsync(
            () -> metered.breaker().askAhead(questions.iterator()), asking)
        .exceptionally(Prefetcher::leftOpen);
  }

  /** Here nothing may fail, at its turn an event may. */
  private static Void leftOpen(Throwable failure) {
    LOG.warn("asking Redis ahead failed; these events are metered one by one", failure);
    return null;
  }

  private Questions questions(ConsumerRecords<byte[], byte[]> polled) {
    Prefetched prefetched = metered.prefetched().get();
    return new Questions(
        prefetched,
        new PollOrder(polled, delayed, (partition, record) -> open(prefetched, partition, record)));
  }

  /** What a record brings, which is kept until it is its turn. */
  private Event open(
      Prefetched prefetched, TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
    Event event = new Event(record.value());
    if (isInput(record.topic())) {
      opener.open(event, record);
    } else {
      Hop.open(event, record.headers(), metered.decoder());
    }
    prefetched.put(partition, record.offset(), event);
    return event;
  }

  /** Else it is the topic of those that have hopped home. */
  private boolean isInput(String topic) {
    return inputs.contains(topic);
  }

  /**
   * Opens the records one after another, as questions are asked for: while Redis answers others.
   */
  private final class Questions implements Iterator<Question> {
    private final Prefetched prefetched;
    private Iterator<PollOrder.Opened> opened;
    private Optional<Question> next;

    Questions(Prefetched prefetched, Iterator<PollOrder.Opened> opened) {
      this.prefetched = prefetched;
      this.opened = opened;
      next = find();
    }

    private Optional<Question> find() {
      Optional<Question> found = Optional.empty();
      try {
        while (found.isEmpty() && opened.hasNext()) found = question(prefetched, opened.next());
      } catch (SchemasUnavailableException e) {
        // The rest is opened and asked about at its turn: there the thread may fail, here it may
        // not.
        opened = Collections.emptyIterator();
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

  private Optional<Question> question(Prefetched prefetched, PollOrder.Opened opened) {
    Event event = opened.event();
    TopicPartition partition = opened.partition();
    long clockMs = prefetched.clockMs(partition.partition(), opened.timeMs());
    if (event.isFaulty()) return Optional.empty();
    // One that is not at home is asked about there: twice would be once too often.
    boolean atHome =
        !isInput(partition.topic()) || home.accepts(event, partition.partition(), homed);
    if (!atHome) return Optional.empty();
    List<Limit> remote = Metered.matching(metered.remote(), event.view());
    if (remote.isEmpty()) return Optional.empty();
    List<Claim> claims = Metered.claims(remote, event.view());
    if (metered.countsHere(event.view()) || prefetched.isBehind(partition, claims)) {
      prefetched.fallBehind(partition, opened.offset(), claims);
      return Optional.empty();
    }
    Position position = metered.sequences().ahead(partition, opened.offset());
    long comesAtMs = metered.clock().comesAtMs(event, clockMs, opener.wallMs());
    Question question =
        metered.question(partition.partition(), event, comesAtMs, remote, claims, position);
    event.asks(question);
    return Optional.of(question);
  }
}
