package io.sluice.server.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.embedded.Forwarder;
import io.sluice.server.App;
import io.sluice.testing.Outputs;
import io.sluice.testing.Servers;
import io.sluice.testing.TestScale;
import io.sluice.topology.metrics.RedisMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import redis.clients.jedis.Jedis;

/**
 * Tests of Redis failures under steady load, in any order. Applications with exactly-once, with
 * at-least-once and with either group protocol wait for Redis, or follow their policy for its
 * absence. After each failure every event has come out once, and no limit is exceeded.
 */
@Tag("slow") // Redis is unavailable for longer than sessions and transactions last, several times
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisOutageIT {
  /**
   * Longer than the session timeout (4 s), the poll interval (5 s) and the transaction timeout (5
   * s), which the broker checks twice a second.
   */
  private static final Duration LONGER_THAN_ANY_TIMEOUT = Duration.ofSeconds(8);

  private static final String[] MODES = {
    "processing.guarantee=exactly_once_v2",
    "processing.guarantee=at_least_once",
    "group.protocol=streams"
  };
  private static final String[] WAITING = {
    "sluice.limits=log,funnel,hourly-log,hourly-funnel",
    "sluice.limit.log.match.action=log",
    "sluice.limit.log.quota=5/2s",
    "sluice.limit.log.algorithm=sliding-window-log",
    "sluice.limit.log.backend=redis",
    "sluice.limit.funnel.match.action=funnel",
    "sluice.limit.funnel.quota=5/2s",
    "sluice.limit.funnel.burst=4",
    "sluice.limit.funnel.backend=redis",
    "sluice.limit.hourly-log.match.action=hourly-log",
    "sluice.limit.hourly-log.quota=10/1h",
    "sluice.limit.hourly-log.algorithm=sliding-window-log",
    "sluice.limit.hourly-log.backend=redis",
    "sluice.limit.hourly-funnel.match.action=hourly-funnel",
    "sluice.limit.hourly-funnel.quota=10/1h",
    "sluice.limit.hourly-funnel.backend=redis",
  };
  private static final String[] POLICIES = {
    "sluice.limits=allow,reject,local",
    "sluice.limit.allow.match.action=allow",
    "sluice.limit.allow.quota=5/1h",
    "sluice.limit.allow.backend=redis",
    "sluice.limit.allow.redis.unavailable=allow",
    "sluice.limit.reject.match.action=reject",
    "sluice.limit.reject.quota=5/1h",
    "sluice.limit.reject.backend=redis",
    "sluice.limit.reject.redis.unavailable=reject",
    "sluice.limit.local.match.action=local",
    "sluice.limit.local.quota=5/1h",
    "sluice.limit.local.algorithm=sliding-window-log",
    "sluice.limit.local.backend=redis",
    "sluice.limit.local.redis.unavailable=state-store",
  };

  private final Servers servers = Servers.shared();
  private EmbeddedRedis redis;
  private EmbeddedRedis spare;
  private Forwarder address;
  private Admin admin;
  private App policies;
  private List<App> waiting;
  private Map<App, List<String>> members;

  @BeforeAll
  void startUnderLoad() throws Exception {
    redis = durable();
    spare = durable();
    address = new Forwarder(redis.port());
    admin = Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()));
    waiting = new ArrayList<>();
    for (String mode : TestScale.<String>some(1, Stream.of(MODES)).toList()) {
      waiting.add(app(WAITING, mode));
    }
    policies = app(POLICIES, "sluice.state.store=memory");
    for (App app : waiting) app.load.start(20, 200, "log", "funnel");
    members = new HashMap<>();
    for (App app : apps()) members.put(app, app.settled(admin));
  }

  /**
   * Starts a Redis that keeps acknowledged writes when it is killed: it writes its file before it
   * answers. It does not sync the file, which a busy disk would make slow.
   */
  private static EmbeddedRedis durable() {
    return EmbeddedRedis.builder()
        .data(Servers.folder())
        .arguments("--appendonly", "yes", "--appendfsync", "no", "--repl-diskless-sync-delay", "0")
        .start();
  }

  private App app(String[] limits, String... more) throws Exception {
    String[] common = {
      "sluice.redis.uri=" + address.uri(),
      "sluice.redis.timeout=500ms",
      "num.stream.threads=2",
      "sluice.topics.partitions=4",
      "consumer.session.timeout.ms=4000",
      "consumer.heartbeat.interval.ms=1000",
      "consumer.max.poll.interval.ms=5000",
      "producer.transaction.timeout.ms=5000"
    };
    Stream<String> all = Stream.of(limits, common, more).flatMap(Stream::of);
    boolean streams = List.of(more).contains("group.protocol=streams");
    // With this protocol the broker has the settings of sessions.
    Predicate<String> understood =
        setting -> !streams || !setting.matches("consumer\\.(session|heartbeat).*");
    return new App(servers, all.filter(understood).toArray(String[]::new));
  }

  private List<App> apps() {
    return Stream.concat(waiting.stream(), Stream.of(policies)).toList();
  }

  @BeforeEach
  void load() {
    for (App app : waiting) app.load.resume();
  }

  @AfterEach
  void everyEventHasComeOutOnceAndNobodyIsOverALimit() throws Exception {
    unload();
    for (App app : apps()) areExactlyThosePublished(app);
    for (App app : waiting) {
      List<Outputs.Out> outs = app.outputs.all();
      Outputs.neverExceedLog(outs, "log", 5, 2_000);
      Outputs.neverExceedFunnel(outs, "funnel", 5, 2_000, 4);
      assertThat(outs.stream().map(Outputs.Out::reason).distinct())
          .containsExactlyInAnyOrder("", "over-limit");
    }
  }

  private static void areExactlyThosePublished(App app) throws Exception {
    Outputs.areExactly(app.outputs.allToTheEnd(), app.load.published());
  }

  /** Stops publishing and waits until all events have verdicts. */
  private void unload() throws Exception {
    for (App app : waiting) app.load.pause();
    goneOn();
  }

  @AfterAll
  void stop() throws Exception {
    try {
      for (App app : apps()) {
        app.sluice.close();
        areExactlyThosePublished(app);
      }
    } finally {
      for (App app : apps()) app.close();
      admin.close();
      address.close();
      redis.close();
      spare.close();
    }
  }

  @Test
  void killed() throws Exception {
    outage(redis::kill, redis::start, "killed");
  }

  @Tag("full") // one of several ways in which Redis is unavailable for longer than a session
  @Test
  void frozen() throws Exception {
    outage(redis::pause, redis::resume, "frozen");
  }

  private void outage(Runnable begins, Runnable ends, String user) throws Exception {
    begins.run();
    try {
      for (int i = 0; i < 12; i++) {
        for (String action : List.of("allow", "reject", "local")) {
          policies.load.publish(user, action);
        }
      }
      await().until(() -> waiting.stream().noneMatch(App::hasRedis));
      withoutRedis(user);
      eventsWait();
    } finally {
      ends.run();
    }
    for (App app : apps()) await().atMost(Duration.ofMinutes(1)).until(app::hasRedis);
    goneOn();
  }

  /** Asserts that no verdicts are made any more, after those on earlier events. */
  private void eventsWait() {
    AtomicReference<List<Integer>> last = new AtomicReference<>(List.of());
    await()
        .atMost(LONGER_THAN_ANY_TIMEOUT.multipliedBy(2))
        .during(LONGER_THAN_ANY_TIMEOUT)
        .until(
            () -> {
              List<Integer> now = decided();
              return now.equals(last.getAndSet(now));
            });
  }

  private List<Integer> decided() {
    return waiting.stream().map(app -> app.outputs.allToTheEnd().size()).toList();
  }

  /**
   * Asserts that the events under other policies were decided without Redis, each by its policy.
   */
  private void withoutRedis(String user) throws Exception {
    policies.catchUp();
    assertThat(verdicts(user, "allow"))
        .hasSize(12)
        .allMatch(out -> out.isAllowed() && out.reason().equals("redis-unavailable"));
    assertThat(verdicts(user, "reject"))
        .hasSize(12)
        .allMatch(out -> !out.isAllowed() && out.reason().equals("redis-unavailable"));
    assertThat(verdicts(user, "local"))
        .as("the state store enforces the quota meanwhile")
        .hasSize(12)
        .allMatch(out -> out.reason().equals(out.isAllowed() ? "redis-unavailable" : "over-limit"))
        .filteredOn(Outputs.Out::isAllowed)
        .hasSize(5);
  }

  private List<Outputs.Out> verdicts(String user, String action) {
    return policies.outputs.all().stream()
        .filter(out -> out.user().equals(user) && out.action().equals(action))
        .toList();
  }

  /** Asserts that new events get verdicts and that no group has rebalanced. */
  private void goneOn() throws Exception {
    for (App app : apps()) app.catchUp();
    for (App app : apps()) {
      assertThat(app.membership(admin)).as(app.name()).isEqualTo(members.get(app));
    }
  }

  @Tag("full") // one of several ways in which Redis is unavailable for longer than a session
  @Test
  void scriptsAndConnectionsThatVanishGoUnnoticed() throws Exception {
    double changes = changes();
    try (Jedis jedis = new Jedis("127.0.0.1", redis.port())) {
      jedis.scriptFlush();
      goneOn();
      for (int i = 0; i < 5; i++) {
        jedis.sendCommand(() -> "CLIENT".getBytes(), "KILL", "TYPE", "normal", "SKIPME", "yes");
        goneOn();
      }
    }
    assertThat(changes()).isEqualTo(changes);
  }

  private double changes() {
    return apps().stream().mapToDouble(app -> app.metric(RedisMetrics.CHANGES)).sum();
  }

  @Tag("full") // one of several ways in which an answer is lost
  @Test
  void anAnswerThatGetsLostChargesNobodyTwice() throws Exception {
    unload();
    App app = waiting.get(0);
    for (String action : List.of("hourly-log", "hourly-funnel")) {
      double changes = app.metric(RedisMetrics.CHANGES);
      address.loseNextAnswer();
      for (int i = 0; i < 5; i++) app.load.publish("unsure", action);
      goneOn();
      assertThat(address.hasLostAnswer()).isTrue();
      assertThat(app.metric(RedisMetrics.CHANGES)).isEqualTo(changes + 2);
      for (int i = 0; i < 7; i++) app.load.publish("unsure", action);
      goneOn();
      assertThat(app.outputs.all())
          .filteredOn(out -> out.user().equals("unsure") && out.action().equals(action))
          .hasSize(12)
          .filteredOn(Outputs.Out::isAllowed)
          .hasSize(10);
    }
  }

  @Tag("full") // a master is replaced only after seconds
  @Test
  void aReplicaIsPromotedAndTheOldMasterFollowsIt() throws Exception {
    unload();
    double changes = changes();
    EmbeddedRedis promoted = spare;
    try (Jedis master = new Jedis("127.0.0.1", redis.port());
        Jedis follower = new Jedis("127.0.0.1", promoted.port())) {
      follower.replicaof("127.0.0.1", redis.port());
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> follower.info("replication").contains("master_link_status:up"));
      master.publish("marker", ""); // WAIT covers only writes of its own connection
      assertThat(master.waitReplicas(1, 30_000)).isEqualTo(1);
      follower.replicaofNoOne();
      master.replicaof("127.0.0.1", promoted.port());
    }
    // Open connections still lead to the former master, which is now a replica and refuses writes.
    address.leadTo(promoted.port());
    for (App app : waiting) app.load.resume();
    for (App app : apps()) app.load.publish("promoted", "log");
    goneOn();
    assertThat(changes()).isEqualTo(changes);
    redis.kill();
    goneOn();
    redis.start();
    spare = redis;
    redis = promoted;
  }

  /**
   * Three events are refused, since five were allowed within two seconds. When Redis is asked again
   * it has seen a later event, at whose time the first of the five have expired.
   */
  @Test
  void anAnswerThatGetsLostIsTheSameWhenAskedAgain() throws Exception {
    unload();
    long now = System.currentTimeMillis();
    for (App app : waiting) {
      for (int i = 0; i < 3; i++) app.load.publish("refused", "log", now);
      goneOn();
      address.loseNextAnswer();
      for (int i = 0; i < 5; i++) app.load.publish("refused", "log", now + 1_500);
      app.load.publish("refused", "log", now + 2_100);
      goneOn();
      assertThat(address.hasLostAnswer()).isTrue();
      assertThat(app.outputs.all())
          .filteredOn(out -> out.user().equals("refused"))
          .extracting(Outputs.Out::isAllowed)
          .containsExactlyInAnyOrder(true, true, true, true, true, false, false, false, true);
    }
  }
}
