package io.sluice.server.ask;

import io.sluice.limiter.Judgement;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.redis.RedisBreaker;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Answers queries about limits that count in Redis, which any instance can do. It has its own
 * connections to Redis, so queries take none from metering.
 */
final class RemoteAnswers implements AutoCloseable {
  private final SluiceConfig config;
  private final List<RedisMeter> opened = new ArrayList<>();

  RemoteAnswers(SluiceConfig config) {
    this.config = config;
  }

  private synchronized RedisMeter meter() {
    if (opened.isEmpty()) opened.add(RedisBreaker.meterForQuestions(config));
    return opened.get(0);
  }

  /**
   * Asks Redis for the state of a key, without changing it.
   *
   * @throws io.sluice.limiter.LimiterUnavailableException if Redis does not answer
   */
  KeyStatus about(KeyQuery question) {
    Judgement judgement =
        meter().ask(question.arrival(), List.of(question.bucket())).judgements().get(0);
    return new KeyStatus(judgement, List.of(), KeyStatus.Role.REDIS, OptionalLong.empty());
  }

  @Override
  public synchronized void close() {
    opened.forEach(RedisMeter::close);
  }
}
