package io.sluice.topology.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.rules.StartException;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** Tests the messages about Redis at the start: one for each problem, with its remedy. */
class RedisCheckIT {
  private static List<String> warnings(String uri) {
    return RedisCheck.warnings(config(uri));
  }

  private static SluiceConfig config(String uri) {
    return SluiceConfig.of(
        Map.of(
            "bootstrap.servers", "127.0.0.1:1",
            "application.id", "check",
            "sluice.limits", "reply",
            "sluice.limit.reply.quota", "5/60s",
            "sluice.limit.reply.backend", "redis",
            "sluice.redis.uri", uri));
  }

  private static void assertGoesOn(String uri, String says) {
    assertThat(warnings(uri))
        .singleElement()
        .asString()
        .startsWith("Redis at redis")
        .contains(says)
        .endsWith("; until then its limits do what redis.unavailable says");
  }

  private static void assertEnds(String uri, String says) {
    assertThatThrownBy(() -> warnings(uri))
        .isInstanceOf(StartException.class)
        .hasMessageStartingWith("Redis at redis")
        .hasMessageContaining(says)
        .hasMessageNotContaining("secret");
  }

  @Test
  void aRedisThatWillDoIsNotTalkedAbout() {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start()) {
      assertThat(warnings(redis.uri())).isEmpty();
    }
  }

  @Test
  void withoutALimitInRedisNobodyAsks() {
    SluiceConfig config =
        SluiceConfig.of(Map.of("bootstrap.servers", "127.0.0.1:1", "application.id", "check"));
    assertThat(RedisCheck.warnings(config)).isEmpty();
  }

  @Test
  void whatMayPassIsSaidAndWaitedFor() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    assertGoesOn("redis://127.0.0.1:" + closed, "refuses connections: nothing listens there");
    assertGoesOn("redis://no-such-host.invalid", "is not found: no such host");
    try (EmbeddedRedis master = EmbeddedRedis.builder().start();
        EmbeddedRedis replica =
            EmbeddedRedis.builder()
                .arguments("--replicaof", "127.0.0.1", Integer.toString(master.port()))
                .start();
        EmbeddedRedis full = EmbeddedRedis.builder().arguments("--maxmemory", "1").start()) {
      assertGoesOn(replica.uri(), "is a read-only replica: name its master");
      assertGoesOn(full.uri(), "is out of memory and accepts no writes (OOM)");
      master.pause();
      assertGoesOn(master.uri(), "does not answer within 2000 ms");
      master.resume();
      String encrypted = "rediss://127.0.0.1:" + master.port();
      assertGoesOn(encrypted, "or use redis:// if it does not use TLS");
    }
  }

  @Test
  void whatOnlySomebodyCanMendEndsTheStart() {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        Jedis admin = new Jedis("127.0.0.1", redis.port())) {
      String at = "@127.0.0.1:" + redis.port();
      admin.aclSetUser("few", "on", ">secret", "~sluice:*", "+@all", "-rpush", "-zadd");
      admin.aclSetUser("elsewhere", "on", ">secret", "~other:*", "+@all");
      admin.aclSetUser("default", "resetpass", ">another");
      assertEnds("redis://127.0.0.1:" + redis.port(), "requires a password");
      assertEnds("redis://:secret" + at, "does not accept this user and password");
      assertEnds("redis://few:secret" + at, "gives its user too few rights: grant +zadd +rpush");
      assertEnds("redis://elsewhere:secret" + at, "gives its user too few rights: grant ~sluice:*");
      assertEnds("redis://few:secret" + at + ",redis://few:secret" + at, "is not a Cluster");
    }
    String[] cluster = {"--cluster-enabled", "yes"};
    try (EmbeddedRedis node = EmbeddedRedis.builder().arguments(cluster).start();
        Jedis admin = new Jedis("127.0.0.1", node.port())) {
      int[] slots = IntStream.range(0, 16_384).toArray();
      admin.clusterAddSlots(slots);
      await().until(() -> admin.clusterInfo().contains("cluster_state:ok"));
      assertEnds(node.uri(), "is a node of a Cluster");
    }
    try (EmbeddedRedis sentinel =
        EmbeddedRedis.builder().sentinel("sentinel monitor other 127.0.0.1 1 1").start()) {
      assertEnds(sentinel.uri(), "or a Sentinel, whose URI begins with redis-sentinel://");
    }
  }

  @Test
  void evictionIsWarnedOf() {
    String[] arguments = {"--maxmemory-policy", "allkeys-lru"};
    try (EmbeddedRedis redis = EmbeddedRedis.builder().arguments(arguments).start()) {
      assertThat(warnings(redis.uri()))
          .singleElement()
          .asString()
          .contains("maxmemory-policy allkeys-lru")
          .contains("set noeviction");
    }
  }

  /** The manual's page on problems has a line for each message. */
  @Test
  void everySentenceIsOnThePage() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "troubleshooting.md"));
    assertThat(page)
        .contains(
            "refuses connections",
            "no such host",
            "does not answer within",
            "cannot be reached by TLS",
            "requires a password",
            "does not accept this user and password",
            "gives its user too few rights",
            "is a read-only replica",
            "is out of memory and accepts no writes (OOM)",
            "is still loading its data",
            "is not a Cluster",
            "is a node of a Cluster",
            "lacks commands of Redis 6.2",
            "has maxmemory-policy");
  }
}
