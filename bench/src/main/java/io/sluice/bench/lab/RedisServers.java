package io.sluice.bench.lab;

import static java.util.stream.Collectors.joining;

import io.sluice.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/**
 * Single Redis server, and a Redis Cluster with three masters that is started at its first use, all
 * in child processes.
 */
public final class RedisServers implements AutoCloseable {
  private static final double NANOS = 1e9;
  private static final int NODES = 3;
  private static final Duration MOST_FORMING = Duration.ofMinutes(1);
  private static final long LOOK_AGAIN_NANOS = 20_000_000;

  private final EmbeddedRedis single = EmbeddedRedis.builder().start();
  private final List<EmbeddedRedis> cluster = new ArrayList<>(NODES);

  public String uri(boolean ofCluster) {
    return servers(ofCluster).stream().map(EmbeddedRedis::uri).collect(joining(","));
  }

  private List<EmbeddedRedis> servers(boolean ofCluster) {
    if (!ofCluster) return List.of(single);
    if (cluster.isEmpty()) startCluster();
    return cluster;
  }

  private void startCluster() {
    for (int i = 0; i < NODES; i++) {
      cluster.add(EmbeddedRedis.builder().arguments("--cluster-enabled", "yes").start());
    }
    for (int i = 0; i < NODES; i++) addSlots(i);
    try (Jedis first = open(cluster.get(0))) {
      for (EmbeddedRedis each : cluster) first.clusterMeet("127.0.0.1", each.port());
    }
    long deadline = System.nanoTime() + MOST_FORMING.toNanos();
    while (!cluster.stream().allMatch(RedisServers::knowsAllSlots)) {
      if (System.nanoTime() > deadline) throw new IllegalStateException("no Redis Cluster forms");
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  private void addSlots(int node) {
    int from = node * Protocol.CLUSTER_HASHSLOTS / NODES;
    int to = (node + 1) * Protocol.CLUSTER_HASHSLOTS / NODES;
    try (Jedis redis = open(cluster.get(node))) {
      redis.clusterAddSlots(IntStream.range(from, to).toArray());
    }
  }

  private static boolean knowsAllSlots(EmbeddedRedis node) {
    try (Jedis redis = open(node)) {
      String info = redis.clusterInfo();
      return info.contains("cluster_state:ok")
          && info.contains("cluster_slots_ok:" + Protocol.CLUSTER_HASHSLOTS);
    }
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
    cluster.forEach(EmbeddedRedis::close);
    single.close();
  }
}
