package io.sluice.topology.redis;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.QueueOwner;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import io.sluice.limiter.redis.ReleaseAnswer;
import io.sluice.limiter.redis.Releases;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.RedisMetrics;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** Sends questions about events to Redis, and records the duration and number of the calls. */
record RedisCaller(Supplier<RedisCalls> redis, RedisMetrics metrics) {
  void probe() {
    redis.get().probe();
  }

  Route routeOf(PendingVerdict question) {
    return redis.get().routeOf(question.request());
  }

  /**
   * Asks Redis questions about events in their order, and sets the answer of each question.
   *
   * @param asked receives the questions that were taken from the iterator, also unanswered ones if
   *     Redis fails
   */
  void answer(Iterator<PendingVerdict> questions, List<PendingVerdict> asked) {
    if (!questions.hasNext()) return;
    Instruments.Stopwatch stopwatch = metrics.asks();
    try {
      Iterator<Request> requests = new Requests(questions, asked);
      int roundTrips = redis.get().meter(requests, new Answers(asked, metrics));
      metrics.asked(asked.size(), roundTrips);
    } finally {
      stopwatch.stop();
    }
  }

  /**
   * Asks Redis questions about events in their order. If Redis cannot use a key, the question notes
   * the failure, and no exception is thrown.
   */
  void answer(List<PendingVerdict> questions) {
    answer(questions.iterator(), new ArrayList<>(questions.size()));
  }

  /**
   * Asks Redis about one event, and sets the answer.
   *
   * @throws UnreadableKeyException if Redis cannot use a key of the event
   */
  void answer(PendingVerdict question) {
    answer(List.of(question));
    question.requireUsable();
  }

  /**
   * Asks Redis whether the heads of a queue's lines may leave.
   *
   * @return an answer for each head
   */
  List<ReleaseAnswer> release(Releases questions) {
    Instruments.Stopwatch stopwatch = metrics.asks();
    try {
      List<ReleaseAnswer> answers = redis.get().release(questions);
      metrics.asked(answers.size(), 1);
      return answers;
    } finally {
      stopwatch.stop();
    }
  }

  QueueOwner takeOver(String queue, long nowMicros) {
    return redis.get().takeOver(queue, nowMicros);
  }

  private record Answers(List<PendingVerdict> asked, RedisMetrics metrics) implements Outcomes {
    @Override
    public void answered(int index, Outcome outcome) {
      asked.get(index).answered(outcome);
    }

    @Override
    public void failed(int index, UnreadableKeyException why) {
      asked.get(index).failed(why);
      metrics.unreadable(why);
    }

    @Override
    public void grown(String limit) {
      metrics.filterGrew(limit);
    }
  }

  private record Requests(Iterator<PendingVerdict> questions, List<PendingVerdict> asked)
      implements Iterator<Request> {
    @Override
    public boolean hasNext() {
      return questions.hasNext();
    }

    @Override
    public Request next() {
      PendingVerdict question = questions.next();
      asked.add(question);
      return question.request();
    }
  }

  /** Calls to Redis that meter events. Safe for many threads. */
  interface RedisCalls {
    /**
     * Meters events in their order.
     *
     * @param outcomes receives the outcome of each request, by its index
     * @return the number of round trips to Redis
     * @throws LimiterUnavailableException if Redis does not answer
     */
    int meter(Iterator<Request> requests, Outcomes outcomes);

    /**
     * Meters the heads of a queue's lines in their order.
     *
     * @throws LimiterUnavailableException if Redis does not answer
     */
    List<ReleaseAnswer> release(Releases questions);

    /**
     * Makes the caller the owner of a queue.
     *
     * @throws LimiterUnavailableException if Redis does not answer
     */
    QueueOwner takeOver(String queue, long nowMicros);

    /** Returns the hash slot and the Redis server of a request, without a call to Redis. */
    Route routeOf(Request request);

    /**
     * Checks whether Redis answers.
     *
     * @throws LimiterUnavailableException if Redis does not answer
     */
    void probe();

    static RedisCalls of(RedisMeter meter) {
      return new RedisCalls() {
        @Override
        public int meter(Iterator<Request> requests, Outcomes outcomes) {
          return meter.meter(requests, outcomes);
        }

        @Override
        public List<ReleaseAnswer> release(Releases questions) {
          return meter.release(questions);
        }

        @Override
        public QueueOwner takeOver(String queue, long nowMicros) {
          return meter.takeOver(queue, nowMicros);
        }

        @Override
        public Route routeOf(Request request) {
          return meter.routeOf(request);
        }

        @Override
        public void probe() {
          meter.probe();
        }
      };
    }
  }
}
