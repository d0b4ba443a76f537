package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.Forwarder;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** Tests that arrivals only wait while masters fail and replicas take their places. */
@Tag("slow") // a master is replaced only after seconds
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RedisFailoverIT {
  private static final long NOW = 1_700_000_000_000_000L;
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** Long enough for a slow machine, short enough to notice a dead server. */
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final Rule FIVE =
      Rule.policing("reply", Quota.parse("5/1h"), Algorithm.SLIDING_WINDOW_LOG);

  /** Returns an event of each of these users. */
  private static List<Request> turn(int number, int users) {
    return IntStream.range(0, users)
        .mapToObj(
            user ->
                Request.of(
                    new Arrival("e" + number + "/" + user, 1, NOW),
                    List.of(new Bucket(FIVE, "user" + user))))
        .toList();
  }

  private static EmbeddedRedis start(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--repl-diskless-sync-delay", "0"));
    all.addAll(List.of(arguments));
    return EmbeddedRedis.builder().arguments(all.toArray(new String[0])).start();
  }

  private static <T> T ask(EmbeddedRedis node, String password, Function<Jedis, T> question) {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder().password(password).timeoutMillis(10_000).build();
    try (Jedis redis = new Jedis(new HostAndPort("127.0.0.1", node.port()), config)) {
      return question.apply(redis);
    }
  }

  private static String replication(EmbeddedRedis node) {
    return ask(node, null, redis -> redis.info("replication"));
  }

  private static void awaitSynchronised(EmbeddedRedis replica) {
    Replication.awaitLink(() -> replication(replica));
  }

  @Test
  void whoIsLeftWithADemotedServerConnectsAnew() {
    try (EmbeddedRedis first = start();
        EmbeddedRedis second = start("--replicaof", "127.0.0.1", Integer.toString(first.port()));
        Forwarder address = new Forwarder(first.port());
        RedisMeter meter =
            new RedisMeter(RedisSettings.of(address.uri()).withTimeout(Duration.ofSeconds(10)))) {
      awaitSynchronised(second);
      for (int i = 0; i < 3; i++) assertThat(meter.meter(turn(i, 10))).allMatch(Outcome::admitted);
      Replication.awaitCopied(() -> replication(first), () -> replication(second));
      ask(second, null, Jedis::replicaofNoOne);
      ask(first, null, redis -> redis.replicaof("127.0.0.1", second.port()));
      address.leadTo(second.port());

      for (int i = 3; i < 8; i++) {
        boolean free = i < 5;
        assertThat(meter.meter(turn(i, 10))).allMatch(outcome -> outcome.admitted() == free);
      }
      assertThat(replication(first)).contains("role:slave");
    }
  }

  @Test
  void aDemotedServerDoesNotPassAProbe() {
    try (EmbeddedRedis first = start();
        EmbeddedRedis second = start("--replicaof", "127.0.0.1", Integer.toString(first.port()));
        RedisMeter meter = new RedisMeter(RedisSettings.of(second.uri()).withTimeout(LONGEST))) {
      awaitSynchronised(second);
      assertThatThrownBy(meter::probe)
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining("READONLY");
      ask(second, null, Jedis::replicaofNoOne);
      meter.probe();
    }
  }

  @Test
  void aMasterOfAClusterThatIsKilledIsReplaced() {
    try (TestCluster cluster = new TestCluster(4);
        RedisMeter meter = new RedisMeter(cluster.settings("killed").withTimeout(TIMEOUT))) {
      PersistentCaller caller = new PersistentCaller(meter);
      for (int i = 0; i < 3; i++) caller.meter(turn(i, 60));
      cluster.awaitCopied(0, 3);

      cluster.nodes.get(0).kill();
      assertThatThrownBy(() -> meter.meter(turn(3, 60)))
          .isInstanceOf(LimiterUnavailableException.class);
      assertThatThrownBy(meter::probe).isInstanceOf(LimiterUnavailableException.class);
      for (int i = 3; i < 8; i++) caller.meter(turn(i, 60));

      assertThat(caller.unanswered()).isPositive();
      assertThat(caller.admitted()).hasSize(60);
      assertThat(caller.admitted().values()).containsOnly(5);
      meter.probe();

      cluster.nodes.get(0).start();
      awaitSynchronised(cluster.nodes.get(0));
      assertThat(meter.meter(turn(8, 60))).noneMatch(Outcome::admitted);
    }
  }

  @Tag("full") // a node of a cluster is replaced only after seconds
  @Test
  void aNodeOfAClusterThatIsSilentIsGoneAfterTheTimeout() {
    try (TestCluster cluster = new TestCluster(3, "--cluster-node-timeout", "20000");
        RedisMeter meter =
            new RedisMeter(cluster.settings("silent").withTimeout(Duration.ofMillis(300)))) {
      meter.meter(turn(0, 60));
      cluster.nodes.get(1).pause();
      long began = System.nanoTime();
      assertThatThrownBy(() -> meter.meter(turn(1, 60)))
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + cluster.nodes.get(1).port());
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
      cluster.nodes.get(1).resume();
      PersistentCaller caller = new PersistentCaller(meter);
      for (int i = 1; i < 7; i++) caller.meter(turn(i, 60));
      assertThat(caller.admitted().values()).containsOnly(4);
    }
  }

  /** Redis and Sentinels with different passwords. */
  private static final class Guarded implements AutoCloseable {
    static final String OF_REDIS = "se@cret";
    static final String OF_SENTINEL = "ses&ame";

    final EmbeddedRedis first = start("--requirepass", OF_REDIS, "--masterauth", OF_REDIS);
    final EmbeddedRedis second =
        start(
            "--requirepass",
            OF_REDIS,
            "--masterauth",
            OF_REDIS,
            "--replicaof",
            "127.0.0.1",
            Integer.toString(first.port()));
    final EmbeddedRedis sentinel =
        EmbeddedRedis.builder()
            .sentinel(
                "requirepass " + OF_SENTINEL,
                "sentinel monitor primary 127.0.0.1 " + first.port() + " 1",
                "sentinel auth-pass primary " + OF_REDIS,
                "sentinel down-after-milliseconds primary 500",
                "sentinel failover-timeout primary 5000")
            .start();

    /** Returns settings with two Sentinels, one of which does not exist. */
    RedisSettings settings() {
      return RedisSettings.of(
              "redis-sentinel://:se%40cret@127.0.0.1:1,127.0.0.1:"
                  + sentinel.port()
                  + "/2?master=primary&sentinel-password=ses%26ame")
          .withTimeout(TIMEOUT);
    }

    void awaitReplicaKnown() {
      await()
          .atMost(LONGEST)
          .until(
              () -> {
                String info = askSentinel(redis -> redis.info("sentinel"));
                return info.contains("status=ok") && info.contains("slaves=1");
              });
      Replication.awaitLink(() -> replication(second));
    }

    void awaitCopied() {
      Replication.awaitCopied(() -> replication(first), () -> replication(second));
    }

    private static String replication(EmbeddedRedis server) {
      return ask(server, OF_REDIS, redis -> redis.info("replication"));
    }

    <T> T askSentinel(Function<Jedis, T> question) {
      return ask(sentinel, OF_SENTINEL, question);
    }

    @Override
    public void close() {
      sentinel.close();
      second.close();
      first.close();
    }
  }

  @Test
  void aMasterThatIsKilledIsReplacedBySentinels() {
    try (Guarded guarded = new Guarded();
        RedisMeter meter = new RedisMeter(guarded.settings())) {
      guarded.awaitReplicaKnown();
      PersistentCaller caller = new PersistentCaller(meter);
      for (int i = 0; i < 3; i++) caller.meter(turn(i, 10));
      assertThat(caller.unanswered()).isZero();
      guarded.awaitCopied();

      guarded.first.kill();
      assertThatThrownBy(() -> meter.meter(turn(3, 10)))
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageStartingWith("Redis at primary of sentinels 127.0.0.1:1,127.0.0.1:");
      for (int i = 3; i < 8; i++) caller.meter(turn(i, 10));

      assertThat(caller.admitted()).hasSize(10);
      assertThat(caller.admitted().values()).containsOnly(5);
      String keys = ask(guarded.second, Guarded.OF_REDIS, redis -> redis.info("keyspace"));
      assertThat(keys).contains("db2:keys=10");
    }
  }

  @Test
  void aMasterThatSentinelsReplacedIsLeftBeforeItIsDemoted() {
    try (Guarded guarded = new Guarded();
        RedisMeter meter = new RedisMeter(guarded.settings())) {
      guarded.awaitReplicaKnown();
      PersistentCaller caller = new PersistentCaller(meter);
      for (int i = 0; i < 3; i++) caller.meter(turn(i, 10));
      guarded.awaitCopied();

      guarded.askSentinel(redis -> redis.sentinelFailover("primary"));
      // Long before the old master is demoted, and rejects writes that it will lose.
      await()
          .atMost(Duration.ofSeconds(6))
          .ignoreExceptionsInstanceOf(JedisConnectionException.class) // it ends its connections
          .until(() -> probesIn(meter, guarded.second, "role:master"));
      for (int i = 3; i < 8; i++) caller.meter(turn(i, 10));

      assertThat(caller.admitted().values()).containsOnly(5);
      assertThat(caller.unanswered()).isZero();
    }
  }

  /** Whether the meter, the only client of database 2, uses this server. */
  private static boolean probesIn(RedisMeter meter, EmbeddedRedis server, String role) {
    meter.probe();
    String clients = ask(server, Guarded.OF_REDIS, Jedis::clientList);
    String replication = ask(server, Guarded.OF_REDIS, redis -> redis.info("replication"));
    return clients.contains(" db=2 ") && replication.contains(role);
  }

  @Test
  void sentinelsThatKnowNoSuchMasterAreNamed() {
    try (EmbeddedRedis sentinel =
            EmbeddedRedis.builder().sentinel("sentinel monitor other 127.0.0.1 1 1").start();
        RedisMeter meter =
            new RedisMeter(
                RedisSettings.of(
                        "redis-sentinel://127.0.0.1:" + sentinel.port() + "?master=primary")
                    .withTimeout(LONGEST))) {
      assertThatThrownBy(meter::probe)
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageEndingWith("127.0.0.1:" + sentinel.port() + " knows no master primary");
    }
  }
}
