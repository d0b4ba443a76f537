package io.sluice.topology.prefetch;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.redis.Position;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.topology.config.Topics;
import io.sluice.topology.intake.Arrivals;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import io.sluice.topology.intake.HomePartitioner;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.intake.Prefetched;
import io.sluice.topology.redis.PendingVerdict;
import io.sluice.topology.redis.RedisBreaker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Component that has the events of a poll metered in Redis before they are processed, in as few
 * round trips as possible.
 */
final class Prefetcher implements PrefetchingConsumer.Asking {
  private static final Logger LOG = LoggerFactory.getLogger(Prefetcher.class);

  private final Set<String> inputs;
  private final String delayed;
  private final CurrentLimits limits;
  private final Arrivals arrivals;
  private final RedisBreaker breaker;
  private final EventOpener opener;
  private final HomePartitioner home;

  Prefetcher(
      Topics topics,
      HomePartitioner home,
      CurrentLimits limits,
      Arrivals arrivals,
      EventOpener opener,
      RedisBreaker breaker) {
    inputs = Set.copyOf(topics.inputs());
    delayed = topics.delayed();
    this.limits = limits;
    this.arrivals = arrivals;
    this.opener = opener;
    this.breaker = breaker;
    this.home = home;
  }

  static Prefetcher of(MeteringServices services) {
    return new Prefetcher(
        services.config().topics(),
        services.home(),
        services.limits(),
        services.arrivals(),
        services.opener(),
        services.breaker());
  }

  /**
   * Asks Redis about the events of a poll, and waits for the answers. Called on the stream thread
   * that will process the events.
   */
  void prefetch(ConsumerRecords<byte[], byte[]> polled) {
    if (isNeeded()) breaker.askAhead(questions(polled));
  }

  /**
   * Decodes the events of a poll, and has background threads ask Redis about them.
   *
   * @param turns order of the questions of earlier polls, after which the new questions are asked
   * @return future that completes when Redis has been asked about all events, answered or not
   */
  @Override
  public CompletableFuture<Void> about(
      ConsumerRecords<byte[], byte[]> polled, QuestionOrder turns) {
    List<PendingVerdict> questions = new ArrayList<>();
    try {
      questions(polled).forEachRemaining(questions::add);
    } catch (RuntimeException e) {
      leftOpen(e);
    }
    try {
      return turns.take(questions, breaker::routeOf, each -> breaker.askAhead(each.iterator()));
    } catch (RuntimeException e) {
      leftOpen(e);
      return CompletableFuture.completedFuture(null);
    }
  }

  @Override
  public boolean isNeeded() {
    return limits.known().ever().useRedis();
  }

  /**
   * Logs a failure to ask Redis before processing. The failure must not fail the poll; Redis is
   * then asked about each event when it is processed.
   */
  static Void leftOpen(Throwable failure) {
    LOG.warn("asking Redis ahead failed; these events are metered one by one", failure);
    return null;
  }

  private Questions questions(ConsumerRecords<byte[], byte[]> polled) {
    Prefetched prefetched = opener.prefetching();
    return new Questions(
        prefetched,
        new PollOrder(polled, delayed, (partition, record) -> open(prefetched, partition, record)));
  }

  /** Decodes the event of a record, and keeps the event until the record is processed. */
  private EventRecord open(
      Prefetched prefetched, TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
    EventRecord event = new EventRecord(record.value());
    if (isInput(record.topic())) {
      opener.open(event, record);
    } else {
      opener.openAtHome(event, record.key(), record.headers(), record.timestamp());
    }
    prefetched.put(partition, record.offset(), event);
    return event;
  }

  /**
   * Returns whether a topic is an input topic; otherwise it is the repartition topic that moves
   * events to their home partitions.
   */
  private boolean isInput(String topic) {
    return inputs.contains(topic);
  }

  /**
   * Iterator over the questions to Redis about the events of a poll. It decodes a record only when
   * its question is needed, while Redis answers earlier questions.
   */
  private final class Questions implements Iterator<PendingVerdict> {
    private final Prefetched prefetched;
    private Iterator<PollOrder.Opened> opened;
    private Optional<PendingVerdict> next;

    Questions(Prefetched prefetched, Iterator<PollOrder.Opened> opened) {
      this.prefetched = prefetched;
      this.opened = opened;
      next = find();
    }

    private Optional<PendingVerdict> find() {
      Optional<PendingVerdict> found = Optional.empty();
      try {
        while (found.isEmpty() && opened.hasNext()) found = question(prefetched, opened.next());
      } catch (SchemasUnavailableException e) {
        // The remaining events are decoded, and Redis is asked about them, when they are processed.
        // Then the thread may fail because of missing schemas, but a poll must not fail.
        opened = Collections.emptyIterator();
      }
      return found;
    }

    @Override
    public boolean hasNext() {
      return next.isPresent();
    }

    @Override
    public PendingVerdict next() {
      PendingVerdict question = next.orElseThrow();
      next = find();
      return question;
    }
  }

  private Optional<PendingVerdict> question(Prefetched prefetched, PollOrder.Opened opened) {
    EventRecord event = opened.event();
    TopicPartition partition = opened.partition();
    long clockMs = prefetched.clockMs(partition.partition(), opened.timeMs());
    if (event.isFaulty()) return Optional.empty();
    LimitsInForce now = limits.now();
    // Redis is asked about an event only on its home partition, or it would charge the event twice.
    boolean atHome =
        !isInput(partition.topic())
            || home.accepts(event, partition.partition(), now.ever().homed());
    if (!atHome) return Optional.empty();
    long comesAtMs = arrivals.comesAtMs(event, clockMs, opener.wallMs());
    Matching matching = now.matching(event.event(), comesAtMs);
    if (matching.waitsForOpening()) {
      // The event is metered when its limits open, before the next event with the same limit and
      // key.
      List<Limit> later = now.matchingAtAnyHour(event.event(), comesAtMs).remote();
      prefetched.fallBehind(partition, opened.offset(), Limit.buckets(later, event.event()));
    }
    List<Limit> remote = matching.remote();
    if (remote.isEmpty()) return Optional.empty();
    List<Bucket> buckets = Limit.buckets(remote, event.event());
    // Events that may have to wait in line are asked about at their turn, by the wall clock.
    boolean isQueued =
        now.ever().queues() && now.matchingAtAnyHour(event.event(), opener.wallMs()).queues();
    boolean waits = isQueued || prefetched.isBehind(partition, buckets);
    if (waits || !matching.stored().isEmpty()) {
      prefetched.fallBehind(partition, opened.offset(), buckets);
      return Optional.empty();
    }
    Position position = breaker.ahead(partition, opened.offset());
    Arrival arrival = arrivals.of(event, comesAtMs);
    Request request = new Request(arrival, buckets, Standing.NONE, position);
    PendingVerdict question =
        new PendingVerdict(partition.partition(), remote, request, arrivals.duplicates());
    event.asks(question);
    // The event may have to be metered again, before the next event with the same limit and key.
    if (remote.stream().anyMatch(Limit::retries)) {
      prefetched.fallBehind(partition, opened.offset(), buckets);
    }
    return Optional.of(question);
  }
}
