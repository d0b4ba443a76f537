package io.sluice.limiter.redis;

import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.async.AsyncRateLimiter;
import io.sluice.limiter.async.AsyncRedisMeter;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** Tests a Cluster of which one node does not answer. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class NodeOutageIT {
  private static final long NOW = 1_700_000_000_000_000L;
  private static final Rule RULE =
      Rule.policing("reply", Quota.parse("5/1h"), Algorithm.SLIDING_WINDOW_LOG);
  private static final int LOST = 2;

  private static TestCluster cluster;
  private static EmbeddedRedis lost;

  /** Users by whether the lost node has their keys. */
  private static final Map<Boolean, List<String>> USERS =
      IntStream.range(0, 60)
          .mapToObj(i -> "user" + i)
          .collect(
              partitioningBy(
                  user -> TestCluster.ownerOf(TestCluster.slotOf(user)) == LOST, toList()));

  /** The other nodes notice a lost node late, and serve their own slots when they do. */
  @BeforeAll
  static void start() {
    cluster =
        new TestCluster(
            3, "--cluster-require-full-coverage", "no", "--cluster-node-timeout", "15000");
    lost = cluster.nodes.get(LOST);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @AfterEach
  void forget() {
    for (EmbeddedRedis node : cluster.nodes) TestCluster.ask(node, Jedis::flushAll);
  }

  private enum Outage {
    FROZEN {
      @Override
      void begin(EmbeddedRedis node) {
        node.pause();
      }

      @Override
      void end(EmbeddedRedis node) {
        node.resume();
      }
    },
    KILLED {
      @Override
      void begin(EmbeddedRedis node) {
        node.kill();
      }

      @Override
      void end(EmbeddedRedis node) {
        node.start();
        cluster.awaitOk();
      }
    };

    abstract void begin(EmbeddedRedis node);

    abstract void end(EmbeddedRedis node);
  }

  private static RedisSettings settings(Duration timeout) {
    return cluster.settings("outage").withTimeout(timeout);
  }

  private static List<String> all() {
    List<String> all = new ArrayList<>(USERS.get(true));
    all.addAll(USERS.get(false));
    return all;
  }

  private static Request request(String eventId, String user) {
    return request(eventId, user, RULE);
  }

  private static Request request(String eventId, String user, Rule... rules) {
    return Request.of(
        new Arrival(eventId, 1, NOW),
        Stream.of(rules).map(rule -> new Bucket(rule, user)).toList());
  }

  @ParameterizedTest
  @EnumSource
  void whatOtherNodesHaveChargedIsHandedOver(Outage outage) {
    try (RedisMeter meter = new RedisMeter(settings(Duration.ofMillis(300)))) {
      List<Request> first = all().stream().map(user -> request("a", user)).toList();
      assertThat(meter.meter(first)).allMatch(Outcome::admitted);
      outage.begin(lost);
      Map<Integer, Outcome> told = new LinkedHashMap<>();
      List<Request> second = all().stream().map(user -> request("b", user)).toList();
      assertThatThrownBy(() -> meter.meter(second.iterator(), told::put))
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining(":" + lost.port());
      int mute = USERS.get(true).size();
      assertThat(told.keySet())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(mute, second.size()).boxed().toList());
      assertThat(told.values()).allMatch(outcome -> outcome.decision(0).remaining() == 3);
    } finally {
      outage.end(lost);
    }
  }

  /**
   * Otherwise they could be charged before those that are asked again. Other nodes are not
   * affected.
   */
  @Test
  void behindABatchThatFailedOnlyOtherNodesAreAsked() {
    List<String> silent = USERS.get(true);
    List<Request> requests =
        IntStream.rangeClosed(0, 125)
            .mapToObj(i -> request("e" + i, silent.get(0)))
            .collect(toList());
    requests.add(request("other", USERS.get(false).get(0)));
    requests.add(request("last", silent.get(1)));
    try (RedisMeter meter = new RedisMeter(settings(Duration.ofMillis(300)))) {
      lost.pause();
      Map<Integer, Outcome> told = new LinkedHashMap<>();
      assertThatThrownBy(() -> meter.meter(requests.iterator(), told::put))
          .isInstanceOf(LimiterUnavailableException.class);
      assertThat(told).containsOnlyKeys(126);
      assertThat(told.get(126).admitted()).isTrue();
    } finally {
      lost.resume();
    }
  }

  /**
   * A call for the slot has failed and is to be asked again first, although the slot's node is
   * healthy.
   */
  @Test
  void nothingOfASlotIsAskedBehindACallThatFailed() {
    int from = (LOST + 1) % 3;
    List<String> users = usersOf(from);
    int slot = TestCluster.slotOf(users.get(0));
    Rule[] two = {RULE, Rule.policing("post", Quota.parse("5/1h"), Algorithm.GCRA)};
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 125; i++) requests.add(request("e" + i, users.get(0), two));
    requests.add(request("last", users.get(0)));
    requests.add(request("other", users.get(1)));
    try (RedisMeter meter = new RedisMeter(settings(Duration.ofMillis(300)))) {
      meter.meter(request("a", users.get(0), two));
      cluster.beginToMove(slot, from, LOST);
      cluster.moveKey(cluster.keysIn(slot, from).get(0), from, LOST);
      Map<Integer, Outcome> told = new LinkedHashMap<>();
      assertThatThrownBy(() -> meter.meter(requests.iterator(), told::put))
          .hasMessageEndingWith("slot " + slot + " is being moved");
      assertThat(told).containsOnlyKeys(126);
    } finally {
      cluster.bringHome(slot);
    }
  }

  /** The first calls go together, because their nodes are not known yet. */
  @ParameterizedTest
  @EnumSource
  void onlyThoseFailWhoseKeysTheNodeHas(Outage outage) {
    outage.begin(lost);
    try (AsyncRedisMeter meter = new AsyncRedisMeter(settings(Duration.ofMillis(300)))) {
      AsyncRateLimiter limiter = meter.limiter(RULE);
      for (int round = 0; round < 3; round++) {
        Map<String, CompletableFuture<Decision>> answers = ask(limiter, all());
        for (String user : USERS.get(true)) {
          assertThatThrownBy(answers.get(user)::get)
              .as(user)
              .hasCauseInstanceOf(LimiterUnavailableException.class);
        }
        for (String user : USERS.get(false)) {
          assertThat(answers.get(user).join().remaining()).as(user).isEqualTo(4 - round);
        }
      }
    } finally {
      outage.end(lost);
    }
  }

  private static Map<String, CompletableFuture<Decision>> ask(
      AsyncRateLimiter limiter, List<String> users) {
    Map<String, CompletableFuture<Decision>> answers = new LinkedHashMap<>();
    for (String user : users) answers.put(user, limiter.meter(user).toCompletableFuture());
    return answers;
  }

  @Test
  void callsToOtherNodesDoNotWaitForIt() {
    try (AsyncRedisMeter meter = new AsyncRedisMeter(settings(Duration.ofMinutes(2)))) {
      AsyncRateLimiter limiter = meter.limiter(RULE);
      ask(limiter, all()).values().forEach(CompletableFuture::join);
      lost.pause();
      Map<String, CompletableFuture<Decision>> waiting = ask(limiter, USERS.get(true));
      try {
        for (int round = 1; round <= 4; round++) {
          for (CompletableFuture<Decision> each : ask(limiter, USERS.get(false)).values()) {
            assertThat(each.join().remaining()).isEqualTo(4 - round);
          }
        }
        assertThat(waiting.values()).noneMatch(CompletableFuture::isDone);
      } finally {
        lost.resume();
      }
      for (CompletableFuture<Decision> each : waiting.values()) {
        assertThat(each.join().remaining()).isEqualTo(3);
      }
    }
  }

  /**
   * Holds as soon as the map has been read again, after one more call to the node that had the
   * slot.
   */
  @Test
  void callsToANodeDoNotWaitForOneThatASlotHasMovedTo() {
    int from = (LOST + 1) % 3;
    List<String> users = usersOf(from);
    String moved = users.remove(0);
    int slot = TestCluster.slotOf(moved);
    try (AsyncRedisMeter meter = new AsyncRedisMeter(settings(Duration.ofSeconds(20)))) {
      AsyncRateLimiter limiter = meter.limiter(RULE);
      ask(limiter, all()).values().forEach(CompletableFuture::join);
      cluster.move(slot, from, LOST);
      limiter.meter(moved).toCompletableFuture().join();
      long redirected = cluster.redirections(from);
      ask(limiter, users).values().forEach(CompletableFuture::join);
      limiter.meter(moved).toCompletableFuture().join();
      assertThat(cluster.redirections(from)).isEqualTo(redirected);
      lost.pause();
      CompletableFuture<Decision> waiting = limiter.meter(moved).toCompletableFuture();
      try {
        ask(limiter, users).values().forEach(CompletableFuture::join);
        assertThat(waiting).isNotDone();
      } finally {
        lost.resume();
      }
      assertThat(waiting.join().remaining()).isEqualTo(1);
    } finally {
      cluster.bringHome(slot);
    }
  }

  /** Jedis accepts such slots only with this property; otherwise it keeps the earlier map. */
  @Test
  void aSlotWithoutAnOwnerHasNobodyElseReadTheMap() {
    int from = (LOST + 1) % 3;
    List<String> users = usersOf(from);
    String orphan = users.remove(0);
    int slot = TestCluster.slotOf(orphan);
    cluster.orphan(slot);
    System.setProperty("jedis.cluster.initNoError", "");
    try (RedisMeter meter = new RedisMeter(settings(Duration.ofSeconds(20)))) {
      long before = cluster.mapsRead();
      assertThatThrownBy(() -> meter.meter(request("a", orphan)))
          .hasMessageEndingWith("no node has slot " + slot);
      long read = cluster.mapsRead();
      assertThat(read).isGreaterThan(before);
      for (String user : users) meter.meter(request("a", user));
      assertThat(cluster.mapsRead()).isEqualTo(read);
    } finally {
      System.clearProperty("jedis.cluster.initNoError");
      cluster.adopt(slot, from);
    }
  }

  @Test
  void aSlotThatIsGivenUpHasNobodyElseReadTheMap() {
    int from = (LOST + 1) % 3;
    String user = usersOf(from).get(0);
    int slot = TestCluster.slotOf(user);
    Rule[] two = {RULE, Rule.policing("post", Quota.parse("5/1h"), Algorithm.GCRA)};
    try (RedisMeter meter = new RedisMeter(settings(Duration.ofSeconds(2)))) {
      meter.meter(request("a", user, two));
      cluster.beginToMove(slot, from, LOST);
      cluster.moveKey(cluster.keysIn(slot, from).get(0), from, LOST);
      assertThatThrownBy(() -> meter.meter(request("b", user, two)))
          .hasMessageEndingWith("slot " + slot + " is being moved");
      long read = cluster.mapsRead();
      assertThat(read).isPositive();
      for (String other : usersOf((LOST + 2) % 3)) meter.meter(request("b", other));
      assertThat(cluster.mapsRead()).isEqualTo(read);
    } finally {
      cluster.bringHome(slot);
    }
  }

  /** One call has lost a connection before, on its way to this node, and the other has not. */
  @Test
  void ofCallsThatLoseTheirConnectionTogetherOnlyThoseEndThatHaveLostOneBefore() {
    List<String> users = new ArrayList<>();
    for (int node = 0; node < 3; node++) users.add(userOf(node));
    List<Request> requests = new ArrayList<>();
    requests.add(request("b", users.get(0)));
    for (int i = 0; i < 126; i++) requests.add(request("b" + i, users.get(2)));
    requests.add(request("b", users.get(1)));
    int first = TestCluster.slotOf(users.get(0));
    int other = TestCluster.slotOf(users.get(2));
    try (RedisMeter meter = new RedisMeter(settings(Duration.ofSeconds(20)))) {
      for (String user : users) meter.meter(request("a", user));
      cluster.move(first, 0, 1);
      cluster.move(other, 2, 1);
      cluster.nodes.subList(0, 2).forEach(TestCluster::closeConnections);
      Map<Integer, Outcome> told = new LinkedHashMap<>();
      assertThatThrownBy(() -> meter.meter(requests.iterator(), told::put))
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageContaining(":" + cluster.nodes.get(1).port());
      assertThat(told.keySet())
          .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 127).boxed().toList());
    } finally {
      cluster.bringHome(first);
      cluster.bringHome(other);
    }
  }

  private static String userOf(int node) {
    return all().stream()
        .filter(user -> TestCluster.ownerOf(TestCluster.slotOf(user)) == node)
        .findFirst()
        .orElseThrow();
  }

  private static List<String> usersOf(int node) {
    return USERS.get(false).stream()
        .filter(user -> TestCluster.ownerOf(TestCluster.slotOf(user)) == node)
        .collect(toList());
  }
}
