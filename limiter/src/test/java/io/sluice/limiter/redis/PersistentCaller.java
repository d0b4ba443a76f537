package io.sluice.limiter.redis;

import static org.awaitility.Awaitility.await;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Caller that asks again with the same events until there is an answer, like a program that waits
 * for Redis.
 */
final class PersistentCaller {
  private final RedisMeter meter;
  private final Map<String, Integer> admitted = new HashMap<>();
  private int unanswered;

  PersistentCaller(RedisMeter meter) {
    this.meter = meter;
  }

  void meter(List<Request> requests) {
    List<Outcome> outcomes = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> isAnswered(requests, outcomes));
    for (int i = 0; i < outcomes.size(); i++) {
      if (!outcomes.get(i).admitted()) continue;
      admitted.merge(requests.get(i).buckets().get(0).key(), 1, Integer::sum);
    }
  }

  private boolean isAnswered(List<Request> requests, List<Outcome> outcomes) {
    try {
      outcomes.addAll(meter.meter(requests));
      return true;
    } catch (LimiterUnavailableException e) {
      unanswered++;
      return false;
    }
  }

  /** Returns the number of admitted events of each key. */
  Map<String, Integer> admitted() {
    return admitted;
  }

  /** Returns how often there was no answer. */
  int unanswered() {
    return unanswered;
  }
}
