package io.sluice.server.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.server.App;
import io.sluice.testing.Outputs;
import io.sluice.testing.Servers;
import io.sluice.testing.SettingLines;
import io.sluice.testing.TestScale;
import io.sluice.topology.metrics.RedisMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * Tests of a Redis Cluster under load: a slot is moved, key by key, and nodes freeze one after
 * another.
 */
@Tag("full") // slots move and a node fails
class RedisClusterIT {
  private static final int MASTERS = 3;
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final String[] LIMITS = {
    "sluice.limits=log,hourly,funnel",
    "sluice.limit.log.match.action=log",
    "sluice.limit.log.quota=5/2s",
    "sluice.limit.log.algorithm=sliding-window-log",
    "sluice.limit.log.backend=redis",
    "sluice.limit.hourly.match.action=log",
    "sluice.limit.hourly.quota=1000/1h",
    "sluice.limit.hourly.backend=redis",
    "sluice.limit.funnel.match.action=funnel",
    "sluice.limit.funnel.quota=5/2s",
    "sluice.limit.funnel.burst=4",
    "sluice.limit.funnel.backend=redis",
  };

  private final Servers servers = Servers.shared();
  private final List<EmbeddedRedis> nodes = new ArrayList<>();

  @Test
  void nobodyNotices() throws Exception {
    int times = TestScale.of(4, 10);
    try (App app = app("5s");
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      app.load.start(20, 100, "log", "funnel");
      List<String> members = app.settled(admin);
      int slot = JedisClusterCRC16.getSlot("{user7}");
      // On a busy machine the group may be stable before an event of this user is judged.
      await()
          .atMost(LONGEST)
          .until(() -> IntStream.range(0, MASTERS).anyMatch(node -> hasKeys(node, slot)));
      int from =
          IntStream.range(0, MASTERS).filter(node -> hasKeys(node, slot)).findAny().orElseThrow();
      int to = (from + 1) % MASTERS;
      for (int i = 0; i < times; i++) {
        move(app, slot, from, to);
        move(app, slot, to, from);
      }
      app.load.pause();
      app.catchUp();
      assertThat(app.membership(admin)).isEqualTo(members);
      assertThat(app.metric(RedisMetrics.CHANGES)).isZero();
      endsWell(app);
    }
  }

  /** A node freezes long enough to count as unavailable; then events of all nodes wait. */
  @Test
  void aNodeThatFreezesCostsTimeAndNothingElse() throws Exception {
    try (App app = app("1s");
        Admin admin = Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      app.load.start(20, 200, "log", "funnel");
      List<String> members = app.settled(admin);
      for (int i = 0; i < 2; i++) {
        EmbeddedRedis frozen = nodes.get(i);
        frozen.pause();
        await().atMost(LONGEST).until(() -> !app.hasRedis());
        frozen.resume();
        await().atMost(LONGEST).until(app::hasRedis);
        awaitMore(app);
      }
      app.load.pause();
      app.catchUp();
      assertThat(app.membership(admin)).isEqualTo(members);
      endsWell(app);
    }
  }

  private static void endsWell(App app) throws Exception {
    app.sluice.close();
    List<Outputs.Out> outs = app.outputs.allToTheEnd();
    Outputs.areExactly(outs, app.load.published());
    Outputs.neverExceedLog(outs, "log", 5, 2_000);
    Outputs.neverExceedFunnel(outs, "funnel", 5, 2_000, 4);
    assertThat(outs.stream().map(Outputs.Out::reason)).containsOnly("", "over-limit");
  }

  /** Moves a slot under load, which for a moment is on both nodes with half of its keys each. */
  private void move(App app, int slot, int from, int to) throws Exception {
    assertThat(hasKeys(from, slot)).isTrue();
    String fromId = ask(from, Jedis::clusterMyId);
    String toId = ask(to, Jedis::clusterMyId);
    ask(to, redis -> redis.clusterSetSlotImporting(slot, fromId));
    ask(from, redis -> redis.clusterSetSlotMigrating(slot, toId));
    awaitMore(app);
    for (List<String> keys = keys(from, slot); !keys.isEmpty(); keys = keys(from, slot)) {
      String key = keys.get(0);
      ask(from, redis -> redis.migrate("127.0.0.1", nodes.get(to).port(), key, 0, 10_000));
    }
    for (int node : new int[] {to, from, 3 - to - from}) {
      ask(node, redis -> redis.clusterSetSlotNode(slot, toId));
    }
    awaitMore(app);
  }

  private static void awaitMore(App app) {
    int now = app.outputs.all().size();
    await().atMost(LONGEST).until(() -> app.outputs.all().size() >= now + 50);
  }

  private List<String> keys(int node, int slot) {
    return ask(node, redis -> redis.clusterGetKeysInSlot(slot, 100));
  }

  private boolean hasKeys(int node, int slot) {
    return !keys(node, slot).isEmpty();
  }

  private App app(String timeout) throws Exception {
    String uris = String.join(",", nodes.stream().map(EmbeddedRedis::uri).toList());
    return new App(
        servers,
        SettingLines.with(LIMITS, "sluice.redis.uri=" + uris, "sluice.redis.timeout=" + timeout));
  }

  @AfterEach
  void stopCluster() {
    nodes.forEach(EmbeddedRedis::close);
  }

  @BeforeEach
  void startCluster() {
    for (int i = 0; i < MASTERS; i++) {
      nodes.add(EmbeddedRedis.builder().arguments("--cluster-enabled", "yes").start());
    }
    int share = (Protocol.CLUSTER_HASHSLOTS + MASTERS - 1) / MASTERS;
    for (int i = 0; i < MASTERS; i++) {
      int port = nodes.get(i).port();
      ask(0, redis -> redis.clusterMeet("127.0.0.1", port));
      int end = Math.min((i + 1) * share, Protocol.CLUSTER_HASHSLOTS);
      int[] slots = IntStream.range(i * share, end).toArray();
      ask(i, redis -> redis.clusterAddSlots(slots));
    }
    for (int i = 0; i < MASTERS; i++) {
      int node = i;
      await()
          .atMost(LONGEST)
          .until(
              () ->
                  ask(node, Jedis::clusterInfo).contains("cluster_state:ok")
                      && ask(node, Jedis::clusterInfo).contains("cluster_known_nodes:" + MASTERS));
    }
  }

  private <T> T ask(int node, Function<Jedis, T> question) {
    try (Jedis redis = new Jedis("127.0.0.1", nodes.get(node).port(), 10_000)) {
      return question.apply(redis);
    }
  }
}
