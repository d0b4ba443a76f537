package io.sluice.bench.lab;

import static java.util.stream.Collectors.joining;

import io.sluice.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;

/** Redis Cluster with three masters, in child processes. */
final class RedisCluster implements AutoCloseable {
  private static final int NODES = 3;
  private static final Duration MOST_FORMING = Duration.ofMinutes(1);
  private static final long LOOK_AGAIN_NANOS = 20_000_000;

  private final List<EmbeddedRedis> nodes = new ArrayList<>();

  RedisCluster() {
    try {
      for (int i = 0; i < NODES; i++) {
        nodes.add(EmbeddedRedis.builder().arguments("--cluster-enabled", "yes").start());
      }
      for (int i = 0; i < NODES; i++) addSlots(i);
      form();
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void addSlots(int node) {
    int from = node * Protocol.CLUSTER_HASHSLOTS / NODES;
    int to = (node + 1) * Protocol.CLUSTER_HASHSLOTS / NODES;
    try (Jedis redis = open(nodes.get(node))) {
      redis.clusterAddSlots(IntStream.range(from, to).toArray());
    }
  }

  private void form() {
    try (Jedis first = open(nodes.get(0))) {
      for (EmbeddedRedis each : nodes) first.clusterMeet("127.0.0.1", each.port());
    }
    long deadline = System.nanoTime() + MOST_FORMING.toNanos();
    while (!nodes.stream().allMatch(RedisCluster::knowsAllSlots)) {
      if (System.nanoTime() > deadline) throw new IllegalStateException("no Redis Cluster forms");
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
  }

  private static boolean knowsAllSlots(EmbeddedRedis node) {
    try (Jedis redis = open(node)) {
      String info = redis.clusterInfo();
      return info.contains("cluster_state:ok")
          && info.contains("cluster_slots_ok:" + Protocol.CLUSTER_HASHSLOTS);
    }
  }

  private static Jedis open(EmbeddedRedis node) {
    return new Jedis("127.0.0.1", node.port());
  }

  List<EmbeddedRedis> nodes() {
    return nodes;
  }

  String uri() {
    return nodes.stream().map(EmbeddedRedis::uri).collect(joining(","));
  }

  @Override
  public void close() {
    nodes.forEach(EmbeddedRedis::close);
  }
}
