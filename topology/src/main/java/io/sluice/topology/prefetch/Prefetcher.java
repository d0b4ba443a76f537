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
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Component that decodes the events of a poll, puts them into batches, and has them metered in
 * Redis before they are processed, in as few round trips as possible.
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

  /** Events of a poll in batches, and the questions to Redis about them in their order. */
  private record Opened(ConsumerRecords<byte[], byte[]> batches, List<PendingVerdict> questions) {}

  /**
   * Decodes the events of a poll, asks Redis about them, and waits for the answers. Called on the
   * stream thread that will process the events.
   *
   * @return records with the events in batches
   */
  ConsumerRecords<byte[], byte[]> prefetch(ConsumerRecords<byte[], byte[]> polled) {
    Opened opened = open(polled);
    if (!opened.questions.isEmpty()) breaker.askAhead(opened.questions.iterator());
    return opened.batches;
  }

  @Override
  public PrefetchingConsumer.Asked about(
      ConsumerRecords<byte[], byte[]> polled, QuestionOrder turns) {
    Opened opened = open(polled);
    CompletableFuture<Void> asked = CompletableFuture.completedFuture(null);
    try {
      if (!opened.questions.isEmpty()) {
        asked =
            turns.take(
                opened.questions, breaker::routeOf, each -> breaker.askAhead(each.iterator()));
      }
    } catch (RuntimeException e) {
      leftOpen(e);
    }
    return new PrefetchingConsumer.Asked(opened.batches, asked);
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

  /**
   * Decodes the events of a poll. If that fails for an event, the remaining records stay as they
   * are: a poll must not fail, but the thread may when it processes the records, such as because of
   * missing schemas.
   */
  private Opened open(ConsumerRecords<byte[], byte[]> polled) {
    if (polled.isEmpty()) return new Opened(polled, List.of());
    PollBatches batches = new PollBatches(polled);
    List<PendingVerdict> questions = new ArrayList<>();
    Prefetched prefetched = opener.prefetched();
    boolean asks = isNeeded();
    try {
      PollOrder order =
          new PollOrder(polled, delayed, record -> opener.opened(record, !isInput(record.topic())));
      while (order.hasNext()) {
        PollOrder.Opened next = order.next();
        boolean waits = false;
        if (asks) {
          prefetched.polled(next.partition(), next.polled().offset());
          waits = waitsForItsTurn(prefetched, next);
          next.event().question().ifPresent(questions::add);
        } else if (!next.event().isFaulty()) {
          prefetched.clockMs(next.partition().partition(), next.timeMs());
        }
        batches.add(next, !isInput(next.partition().topic()));
        // No commit is possible within a batch, and this event may take as long as a call to Redis.
        if (waits) batches.end();
      }
    } catch (SchemasUnavailableException e) {
      LOG.debug("the remaining events of a poll are decoded when they are processed", e);
    } catch (RuntimeException e) {
      leftOpen(e);
    }
    return new Opened(batches.records(), questions);
  }

  /** Returns whether a topic is an input topic, and not the repartition topic. */
  private boolean isInput(String topic) {
    return inputs.contains(topic);
  }

  /**
   * Sets the question to Redis about an event, if it may be asked ahead.
   *
   * @return whether Redis is asked about the event only when the event is processed
   */
  private boolean waitsForItsTurn(Prefetched prefetched, PollOrder.Opened opened) {
    EventRecord event = opened.event();
    TopicPartition partition = opened.partition();
    long clockMs = prefetched.clockMs(partition.partition(), opened.timeMs());
    if (event.isFaulty()) return false;
    LimitsInForce now = limits.now();
    // Redis is asked about an event only on its home partition, or it would charge the event twice.
    boolean atHome =
        !isInput(partition.topic())
            || home.accepts(event, partition.partition(), now.ever().homed());
    if (!atHome) return false;
    long comesAtMs = arrivals.comesAtMs(event, clockMs, opener.wallMs());
    Matching matching = now.matching(event.event(), comesAtMs);
    if (matching.waitsForOpening()) {
      // The event is metered when its limits open, before the next event with the same limit and
      // key.
      List<Limit> later = now.matchingAtAnyHour(event.event(), comesAtMs).remote();
      prefetched.fallBehind(
          partition, opened.polled().offset(), Limit.buckets(later, event.event()));
    }
    List<Limit> remote = matching.remote();
    if (remote.isEmpty()) return false;
    List<Bucket> buckets = Limit.buckets(remote, event.event());
    // Events that may have to wait in line are asked about at their turn, by the wall clock.
    boolean isQueued =
        now.ever().queues() && now.matchingAtAnyHour(event.event(), opener.wallMs()).queues();
    boolean waits = isQueued || prefetched.isBehind(partition, buckets);
    if (waits || !matching.stored().isEmpty()) {
      prefetched.fallBehind(partition, opened.polled().offset(), buckets);
      return true;
    }
    Position position = breaker.ahead(partition, opened.polled().offset());
    Arrival arrival = arrivals.of(event, comesAtMs);
    Request request = new Request(arrival, buckets, Standing.NONE, position);
    PendingVerdict question =
        new PendingVerdict(partition.partition(), remote, request, arrivals.duplicates());
    event.asks(question);
    // The event may have to be metered again, before the next event with the same limit and key.
    if (remote.stream().anyMatch(Limit::retries)) {
      prefetched.fallBehind(partition, opened.polled().offset(), buckets);
    }
    return false;
  }
}
