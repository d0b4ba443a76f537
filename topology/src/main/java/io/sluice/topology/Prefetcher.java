package io.sluice.topology;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.redis.RedisMeter.Request;
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
  private final Prefetched prefetched;

  Prefetcher(Topics topics, Metered metered, EventOpener opener, Prefetched prefetched) {
    inputs = Set.copyOf(topics.inputs());
    delayed = topics.delayed();
    this.metered = metered;
    this.opener = opener;
    this.prefetched = prefetched;
  }

  /** Called on the stream thread that will process these records. */
  void prefetch(ConsumerRecords<byte[], byte[]> polled) {
    List<Question> questions = new ArrayList<>();
    for (TopicPartition partition : polled.partitions()) {
      if (partition.topic().equals(delayed)) continue; // metered before; says nothing of time
      boolean input = inputs.contains(partition.topic());
      for (ConsumerRecord<byte[], byte[]> record : polled.records(partition)) {
        if (input) open(partition, record).ifPresent(questions::add);
        else prefetched.clockMs(partition.partition(), record.timestamp());
      }
    }
    if (!questions.isEmpty()) ask(questions);
  }

  private Optional<Question> open(TopicPartition partition, ConsumerRecord<byte[], byte[]> record) {
    Event event = new Event(record.value());
    opener.open(event, EventOpener.origin(record), record.timestamp());
    prefetched.put(partition, record.offset(), event);
    if (event.isFaulty()) return Optional.empty();
    long clockMs = prefetched.clockMs(partition.partition(), event.view().occurredAtMs());
    long nowMs = metered.byWallClock() ? opener.wallMs() : clockMs;
    Optional<Question> question = metered.question(event.view(), nowMs);
    question.ifPresent(event::asks);
    return question;
  }

  /**
   * If Redis is gone, the questions stay open, and processing stops if there is one that must wait.
   */
  private void ask(List<Question> questions) {
    try {
      answer(metered.breaker(), questions);
    } catch (LimiterUnavailableException e) {
      if (questions.stream().anyMatch(Question::mustWait)) metered.breaker().holdBack();
    }
  }

  /** Asks all these questions at once, in order. */
  static void answer(RedisBreaker breaker, List<Question> questions) {
    List<Request> requests = new ArrayList<>(questions.size());
    for (Question question : questions) requests.add(question.request());
    List<Outcome> outcomes = breaker.meter(requests);
    for (int i = 0; i < outcomes.size(); i++) questions.get(i).answered(outcomes.get(i));
  }
}
