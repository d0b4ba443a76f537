package io.sluice.bench.lab;

import io.sluice.embedded.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;

/** Single Redis server, and a Redis Cluster that is started at its first use. */
public final class RedisServers implements AutoCloseable {
  private static final double NANOS = 1e9;

  private final EmbeddedRedis single = EmbeddedRedis.builder().start();
  private final List<RedisCluster> cluster = new ArrayList<>(1);

  public String uri(boolean ofCluster) {
    return ofCluster ? cluster().uri() : single.uri();
  }

  private RedisCluster cluster() {
    if (cluster.isEmpty()) cluster.add(new RedisCluster());
    return cluster.get(0);
  }

  private List<EmbeddedRedis> servers(boolean ofCluster) {
    return ofCluster ? cluster().nodes() : List.of(single);
  }

  public String version() {
    return field(info(single, "server"), "redis_version").findFirst().orElse("unknown");
  }

  /**
   * Returns the CPU time in nanoseconds of the servers' main threads, which run the commands, since
   * the start of the servers.
   */
  public long cpuNanos(boolean ofCluster) {
    double seconds = 0;
    for (EmbeddedRedis each : servers(ofCluster)) {
      String info = info(each, "cpu");
      for (String part : List.of("used_cpu_user_main_thread", "used_cpu_sys_main_thread")) {
        seconds += field(info, part).mapToDouble(Double::parseDouble).sum();
      }
    }
    return (long) (seconds * NANOS);
  }

  private static String info(EmbeddedRedis server, String section) {
    try (Jedis redis = open(server)) {
      return redis.info(section);
    }
  }

  private static Stream<String> field(String info, String name) {
    String begin = name + ":";
    return info.lines()
        .filter(line -> line.startsWith(begin))
        .map(line -> line.substring(begin.length()).trim());
  }

  public void empty(boolean ofCluster) {
    for (EmbeddedRedis each : servers(ofCluster)) {
      try (Jedis redis = open(each)) {
        redis.flushAll();
      }
    }
  }

  private static Jedis open(EmbeddedRedis server) {
    return new Jedis("127.0.0.1", server.port());
  }

  @Override
  public void close() {
    cluster.forEach(RedisCluster::close);
    single.close();
  }
}
