package com.example;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Decision;
import io.sluice.limiter.InProcessLimiter;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RateLimiter;
import io.sluice.limiter.async.AsyncRateLimiter;
import io.sluice.limiter.async.WaitingLimiter;
import io.sluice.limiter.redis.RedisLimiter;
import io.sluice.limiter.redis.RedisSettings;
import java.time.Duration;

/**
 * Allows five replies in a minute: in this process, and in a Redis that other processes can share.
 * Then allows five a second to callers that wait.
 */
public class Plain {
  static final Quota QUOTA = Quota.parse("5/60s");

  public static void main(String[] arguments) throws InterruptedException {
    report("in process", new InProcessLimiter(QUOTA, Algorithm.SLIDING_WINDOW_LOG));
    try (EmbeddedRedis server = EmbeddedRedis.builder().start();
        RedisLimiter replies =
            new RedisLimiter(
                RedisSettings.of(server.uri()), "reply", QUOTA, Algorithm.SLIDING_WINDOW_LOG)) {
      report("in Redis", replies);
    }
    RateLimiter limiter = new InProcessLimiter(Quota.parse("5/1s"), Algorithm.GCRA);
    try (WaitingLimiter replies = new WaitingLimiter(AsyncRateLimiter.of(limiter))) {
      int allowed = 0;
      for (int i = 0; i < 7; i++) {
        Decision decision = replies.acquire("ada", Duration.ofSeconds(30));
        if (decision instanceof Decision.Conforming) allowed++;
      }
      System.out.println("after a wait: " + allowed + " of 7");
    }
  }

  static void report(String where, RateLimiter replies) {
    int allowed = 0;
    for (int i = 0; i < 7; i++) {
      if (replies.meter("ada") instanceof Decision.Conforming) allowed++;
    }
    System.out.println(where + ": " + allowed + " of 7");
  }
}
