package io.sluice.embedded;

import java.nio.file.Path;

/** Starts a Redis, says its pid and its folder, and has no time to close it. */
final class RedisStarter {
  private RedisStarter() {}

  public static void main(String[] arguments) throws Exception {
    EmbeddedRedis redis = EmbeddedRedis.builder().start();
    System.out.println(redis.pid());
    System.out.println(Path.of(RedisLine.ask(redis.port(), "CONFIG GET dir").get(4)));
    Thread.currentThread().join();
  }
}
