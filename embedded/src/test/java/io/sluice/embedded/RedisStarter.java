package io.sluice.embedded;

import java.nio.file.Path;

/** Main program that starts a Redis, prints its process id and folder, and never closes it. */
final class RedisStarter {
  private RedisStarter() {}

  public static void main(String[] arguments) throws Exception {
    EmbeddedRedis redis = EmbeddedRedis.builder().start();
    System.out.println(redis.pid());
    System.out.println(Path.of(RedisLine.ask(redis.port(), "CONFIG GET dir").get(4)));
    Thread.currentThread().join();
  }
}
