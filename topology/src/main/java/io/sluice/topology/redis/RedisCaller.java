package io.sluice.topology.redis;

import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import io.sluice.topology.metrics.Instruments;
import io.sluice.topology.metrics.RedisMetrics;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** The one who puts questions to Redis, and times and counts what it takes. */
record RedisCaller(Supplier<RedisCalls> redis, RedisMetrics metrics) {
  void probe() {
    redis.get().probe();
  }

  Route routeOf(PendingVerdict question) {
    return redis.get().routeOf(question.request());
  }

  /**
   * Has questions answered, in their order.
   *
   * @param asked gets those that were taken, answered or not
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

  /** Has questions answered; one that fails alone is noted in it. */
  void answer(List<PendingVerdict> questions) {
    answer(questions.iterator(), new ArrayList<>(questions.size()));
  }

  /**
   * Has one question answered.
   *
   * @throws UnreadableKeyException if it fails alone
   */
  void answer(PendingVerdict question) {
    answer(List.of(question));
    question.requireUsable();
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
}
