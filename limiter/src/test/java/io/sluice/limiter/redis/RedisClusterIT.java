package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Identity;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ScriptCall.AnonymousNames;
import io.sluice.limiter.rows.HeapRows;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RedisClusterIT {
  private static final long NOW = 1_700_000_000_000_000L;
  private static final Quota FIVE = Quota.parse("5/1h");

  private static TestCluster cluster;

  @BeforeAll
  static void start() {
    cluster = new TestCluster(4);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Request request(String eventId, String user, Rule... rules) {
    return Request.of(
        new Arrival(eventId, 1, NOW),
        Stream.of(rules).map(rule -> new Bucket(rule, user)).toList());
  }

  private static Rule log(String name) {
    return Rule.policing(name, FIVE, Algorithm.SLIDING_WINDOW_LOG);
  }

  private static Rule gcra(String name) {
    return Rule.policing(name, FIVE, Algorithm.GCRA);
  }

  /** Returns {@code each} events of every user, in turn. */
  private static List<Request> turns(String name, List<String> users, int each, Rule... rules) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < each; i++) {
      for (String user : users) requests.add(request(name + i + "/" + user, user, rules));
    }
    return requests;
  }

  private static List<String> users(int count) {
    return IntStream.range(0, count).mapToObj(i -> "user" + i).toList();
  }

  /** Returns traffic of many seeds, each with its own users and limits, in turn. */
  private static List<Request> traffic(long seed) {
    List<List<Request>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String suffix = "-" + i;
      all.add(
          RedisTraffic.ofCluster(seed * 20 + i, 150).requests().stream()
              .map(request -> renamed(request, suffix))
              .toList());
    }
    return IntStream.range(0, 150).boxed().flatMap(i -> all.stream().map(t -> t.get(i))).toList();
  }

  private static Request renamed(Request request, String suffix) {
    List<Bucket> buckets =
        request.buckets().stream()
            .map(bucket -> new Bucket(bucket.rule(), bucket.key() + suffix))
            .toList();
    return new Request(request.arrival(), buckets, request.elsewhere(), request.position());
  }

  private static Outcome meter(RowMeter rows, Request request) {
    return rows.probe(request.arrival(), request.buckets()).settle(request.elsewhere());
  }

  private static Releases.Head head(String event, String user, long now) {
    Rule rule = Rule.policing("vendor", Quota.parse("2/1h"), Algorithm.GCRA);
    Arrival release = Arrival.release(Identity.ofRecord(event), 1, now - 100_000, now);
    Request request = Request.of(release, List.of(new Bucket(rule, user)));
    return new Releases.Head(request, 0, now, List.of(Releases.Waits.SHARED));
  }

  private static List<Boolean> released(
      RedisMeter meter, QueueOwner owner, String event, long now) {
    List<Releases.Head> heads = new ArrayList<>();
    for (String user : users(30)) heads.add(head(event + user, user, now));
    return meter.release(new Releases(owner, 0, 1, heads)).stream()
        .map(each -> ((ReleaseAnswer.Decided) each).outcome().admitted())
        .toList();
  }

  @Test
  void releasesOfAnEarlierOwnerAreKnownInEverySlot() {
    List<Boolean> all = Collections.nCopies(30, true);
    List<Boolean> none = Collections.nCopies(30, false);
    try (RedisMeter meter = new RedisMeter(cluster.settings("queue"))) {
      QueueOwner first = meter.takeOver("p0", NOW);
      assertThat(released(meter, first, "a", NOW)).isEqualTo(all);
      QueueOwner second = meter.takeOver("p0", NOW);
      // The second owner has not asked in these slots yet. It finds what the first one releases.
      assertThat(released(meter, first, "b", NOW)).isEqualTo(all);
      assertThat(released(meter, second, "b", NOW)).isEqualTo(all);
      assertThat(released(meter, second, "a", NOW)).isEqualTo(all);
      assertThat(released(meter, second, "c", NOW)).isEqualTo(none);
      assertThatThrownBy(() -> released(meter, first, "a", NOW))
          .isInstanceOf(QueueTakenOverException.class);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void theSameTrafficGetsTheSameOutcomesAsEverywhere(long seed) {
    List<Request> traffic = traffic(seed);
    RowMeter rows = new RowMeter(new HeapRows());
    List<Outcome> expected = traffic.stream().map(request -> meter(rows, request)).toList();
    try (RedisMeter meter = new RedisMeter(cluster.settings("batch" + seed))) {
      assertThat(meter.meter(traffic)).as("seed %d", seed).isEqualTo(expected);
    }
    try (RedisMeter meter = new RedisMeter(cluster.settings("singly" + seed))) {
      for (int i = 0; i < 300; i++) {
        assertThat(meter.meter(traffic.get(i)))
            .as("seed %d, %d", seed, i)
            .isEqualTo(expected.get(i));
      }
    }
  }

  @Test
  void whereverReadingOfAPartitionGoesOnTheOutcomesAreThoseOfOneReader() {
    List<Request> once = traffic(6);
    RowMeter rows = new RowMeter(new HeapRows());
    List<Outcome> expected = once.stream().map(request -> meter(rows, request)).toList();
    List<Request> requests =
        IntStream.range(0, once.size())
            .mapToObj(i -> RedisTraffic.at(new Position("app/user-actions-0", i), once.get(i)))
            .toList();
    try (RedisMeter meter = new RedisMeter(cluster.settings("again"))) {
      for (int from = 0; from < requests.size(); from += 250) {
        int to = Math.min(requests.size(), from + 900);
        List<Outcome> found = meter.meter(requests.subList(from, to));
        assertThat(found).as("%d to %d", from, to).isEqualTo(expected.subList(from, to));
      }
    }
  }

  @Test
  void manySlotsAreOneRoundTrip() {
    try (RedisMeter meter = new RedisMeter(cluster.settings("trips"))) {
      List<Request> requests = turns("e", users(500), 1, gcra("reply"));
      assertThat(meter.meter(requests.iterator(), (index, outcome) -> {})).isEqualTo(1);
      Set<Integer> seen = new HashSet<>();
      Iterator<Request> more = turns("f", users(1_200), 1, gcra("reply")).iterator();
      assertThat(meter.meter(more, (index, outcome) -> seen.add(index))).isEqualTo(3);
      assertThat(seen).hasSize(1_200);
    }
  }

  @Test
  void aScriptThatNodesForgotIsLoadedAgain() {
    try (RedisMeter meter = new RedisMeter(cluster.settings("flush"))) {
      admitsFiveEach(meter, "before", users(50));
      cluster.nodes.forEach(node -> TestCluster.ask(node, Jedis::scriptFlush));
      admitsFiveEach(meter, "after", users(50));
    }
  }

  /** Breaks off more often than there may be connections; each of these has unread answers. */
  @Test
  void aCallThatBreaksOffLeavesNoAnswersToOthersAndNoConnectionOpen() {
    RedisSettings settings = cluster.settings("broken").withTimeout(Duration.ofSeconds(1));
    RedisScript wrong = new RedisScript("return 1".getBytes(UTF_8));
    try (RedisConnections redis = RedisConnections.of(new JedisConfig(settings, () -> {}))) {
      for (int i = 0; i <= settings.connections(); i++) {
        assertThatThrownBy(() -> redis.run(wrong, batches(redis, users(50), new HashMap<>())))
            .isInstanceOf(ClassCastException.class);
      }
      Map<Integer, Outcome> told = new HashMap<>();
      redis.run(MeterScript.SCRIPT, batches(redis, users(50), told));
      assertThat(told).hasSize(50);
      assertThat(told.values()).allMatch(Outcome::admitted);
    }
  }

  private static Batches batches(
      RedisConnections redis, List<String> users, Map<Integer, Outcome> told) {
    RedisKeys names = new RedisKeys("broken");
    AnonymousNames anonymous = new AnonymousNames();
    return new Batches(
        turns("e", users, 1, gcra("reply")).iterator(),
        request -> redis.placeOf(names.of(request.buckets().get(0))),
        place -> new ScriptCall(names, anonymous, 0, place),
        told::put);
  }

  @Test
  void connectionsThatWereClosedAreReplaced() {
    try (RedisMeter meter = new RedisMeter(cluster.settings("kill"))) {
      admitsFiveEach(meter, "before", users(50));
      cluster.nodes.forEach(TestCluster::closeConnections);
      admitsFiveEach(meter, "after", users(50));
    }
  }

  private static void admitsFiveEach(RedisMeter meter, String name, List<String> users) {
    List<Request> requests = turns(name, users, 7, log(name));
    List<Outcome> outcomes = meter.meter(requests);
    for (int i = 0; i < outcomes.size(); i++) {
      assertThat(outcomes.get(i).admitted())
          .as("%s", requests.get(i))
          .isEqualTo(i < 5 * users.size());
    }
  }

  @Test
  void aSlotMayMoveStepByStep() {
    int slot = 4_711;
    int from = TestCluster.ownerOf(slot);
    int to = (from + 1) % 3;
    List<String> users = TestCluster.usersIn(slot, 6);
    Rule[] rules = {log("reply"), gcra("post")};
    RowMeter rows = new RowMeter(new HeapRows());
    try (RedisMeter meter = new RedisMeter(cluster.settings("steps"))) {
      agree(meter, rows, turns("a", users.subList(0, 4), 1, rules[0]));
      agree(meter, rows, turns("b", users.subList(0, 4), 1, rules[1]));
      agree(meter, rows, turns("c", users.subList(0, 4), 1, rules));
      cluster.beginToMove(slot, from, to);
      // The users 4 and 5 have no keys yet: theirs begin on the node that the slot moves to.
      agree(meter, rows, turns("d", users, 1, rules[0]));
      agree(meter, rows, turns("e", users, 1, rules[1]));
      agree(meter, rows, turns("f", users, 1, rules));
      for (String key : cluster.keysIn(slot, from)) {
        cluster.moveKey(key, from, to);
        agree(meter, rows, turns("g" + key, users, 1, rules[0]));
      }
      agree(meter, rows, turns("h", users, 1, rules));
      cluster.endMove(slot, to);
      agree(meter, rows, turns("i", users, 2, rules));
    } finally {
      cluster.bringHome(slot);
    }
  }

  private static void agree(RedisMeter meter, RowMeter rows, List<Request> requests) {
    List<Outcome> expected = requests.stream().map(request -> meter(rows, request)).toList();
    assertThat(meter.meter(requests)).as("%s", requests).isEqualTo(expected);
  }

  @Test
  void anEventWhoseKeysAreScatteredByAMoveWaitsForItsEnd() {
    int slot = 815;
    int from = TestCluster.ownerOf(slot);
    int to = (from + 1) % 3;
    String user = TestCluster.usersIn(slot, 1).get(0);
    Rule[] rules = {log("reply"), gcra("post")};
    RedisSettings settings = cluster.settings("scattered").withTimeout(Duration.ofMillis(300));
    try (RedisMeter meter = new RedisMeter(settings)) {
      meter.meter(request("a", user, rules));
      cluster.beginToMove(slot, from, to);
      cluster.moveKey(cluster.keysIn(slot, from).get(0), from, to);
      assertThatThrownBy(() -> meter.meter(request("b", user, rules)))
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageEndingWith("slot 815 is being moved");
      cluster.moveKey(cluster.keysIn(slot, from).get(0), from, to);
      assertThat(meter.meter(request("b", user, rules)).judgements())
          .allMatch(judgement -> judgement.decision().remaining() == 3);
    } finally {
      cluster.bringHome(slot);
    }
  }

  @Test
  void whatIsAnsweredBeforeAnEventThatHasToWaitIsHandedOver() {
    int slot = 817;
    int from = TestCluster.ownerOf(slot);
    int to = (from + 1) % 3;
    List<String> users = TestCluster.usersIn(slot, 2);
    Rule[] rules = {log("reply"), gcra("post")};
    RedisSettings settings = cluster.settings("prefix").withTimeout(Duration.ofMillis(300));
    try (RedisMeter meter = new RedisMeter(settings)) {
      meter.meter(request("a", users.get(0), rules));
      cluster.beginToMove(slot, from, to);
      cluster.moveKey(cluster.keysIn(slot, from).get(0), from, to);
      List<Request> requests =
          List.of(
              request("b", users.get(1), log("reply")),
              request("c", users.get(0), rules),
              request("d", users.get(1), log("reply")));
      Map<Integer, Outcome> told = new HashMap<>();
      assertThatThrownBy(() -> meter.meter(requests.iterator(), told::put))
          .isInstanceOf(LimiterUnavailableException.class)
          .hasMessageEndingWith("slot 817 is being moved");
      assertThat(told).containsOnlyKeys(0);
      assertThat(told.get(0).decision(0).remaining()).isEqualTo(4);
      assertThat(meter.meter(requests.get(2)).decision(0).remaining()).isEqualTo(3);
    } finally {
      cluster.bringHome(slot);
    }
  }

  /** The script asks for the end of a period, and is called again from there on. */
  @Test
  void whatComesBehindAnEventThatLacksAPeriodIsChargedOnce() {
    int slot = 818;
    int from = TestCluster.ownerOf(slot);
    int to = (from + 1) % 3;
    List<String> users = TestCluster.usersIn(slot, 2);
    Quota oneAnHour = Quota.of(1, CalendarUnit.HOUR);
    long patience = Duration.ofHours(1_000).toNanos() / 1_000;
    Rule hourly =
        new Rule("hourly", oneAnHour, Algorithm.CALENDAR_WINDOW, patience, false, false)
            .in(ZoneId.of("UTC"));
    RowMeter rows = new RowMeter(new HeapRows());
    try (RedisMeter meter = new RedisMeter(cluster.settings("lacking"))) {
      agree(meter, rows, turns("a", users.subList(0, 1), 40, hourly));
      agree(meter, rows, turns("b", users.subList(1, 2), 1, log("reply")));
      cluster.beginToMove(slot, from, to);
      for (String key : cluster.keysIn(slot, from)) {
        if (key.contains("{" + users.get(0) + "}")) cluster.moveKey(key, from, to);
      }
      Request nameless = request("", users.get(1), log("reply"));
      agree(meter, rows, List.of(request("c", users.get(0), hourly), nameless));
      agree(meter, rows, List.of(nameless));
    } finally {
      cluster.bringHome(slot);
    }
  }

  @Test
  void nodesThatNameEachOtherAreWaitedFor() {
    int slot = 816;
    int from = TestCluster.ownerOf(slot);
    int to = (from + 1) % 3;
    Request request = request("a", TestCluster.usersIn(slot, 1).get(0), log("reply"));
    try (RedisMeter meter = new RedisMeter(cluster.settings("pointing"))) {
      meter.meter(request("a", "user0", log("reply"))); // reads the map of slots
      long before = cluster.redirections(to);
      cluster.halfMove(slot, from, to);
      CompletableFuture<Outcome> outcome =
          CompletableFuture.supplyAsync(() -> meter.meter(request));
      await().until(() -> cluster.redirections(to) > before);
      cluster.endMove(slot, to);
      assertThat(outcome.join().admitted()).isTrue();
    } finally {
      cluster.bringHome(slot);
    }
  }

  @Test
  void slotsMoveWhileEverybodyIsMetered() throws InterruptedException {
    List<String> users = users(40);
    List<Integer> slots = users.stream().limit(10).map(TestCluster::slotOf).toList();
    try (RedisMeter meter = new RedisMeter(cluster.settings("moving"))) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread mover = new Thread(() -> slots.forEach(RedisClusterIT::moveThereAndBack));
      mover.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
      mover.start();
      Set<Identity> admitted = new HashSet<>();
      for (int i = 0; mover.isAlive() || i < 10; i++) {
        List<Request> requests = turns("e" + i, users, 1, log("reply"));
        List<Outcome> outcomes = meter.meter(requests);
        for (int j = 0; j < outcomes.size(); j++) {
          if (outcomes.get(j).admitted()) admitted.add(requests.get(j).arrival().identity());
        }
      }
      mover.join();
      assertThat(failure).hasNullValue();
      assertThat(admitted).hasSize(5 * users.size());
    }
  }

  private static void moveThereAndBack(int slot) {
    int home = TestCluster.ownerOf(slot);
    int away = (home + 1) % 3;
    cluster.move(slot, home, away);
    cluster.move(slot, away, home);
  }

  @Test
  void claimsThatDoNotShareATagAreRefusedBeforeAnythingIsCharged() {
    Bucket user = new Bucket(log("reply"), "user");
    Bucket thread = new Bucket(log("thread"), "thread", "thread");
    Arrival arrival = new Arrival("one", 1, NOW);
    try (RedisMeter meter = new RedisMeter(cluster.settings("apart"))) {
      List<Request> requests =
          List.of(Request.of(arrival, List.of(user)), Request.of(arrival, List.of(user, thread)));
      assertThatThrownBy(() -> meter.meter(requests))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("must have the same tag");
      assertThat(meter.meter(request("two", "user", log("reply"))).decision(0).remaining())
          .isEqualTo(4);
    }
  }

  @Test
  void aRequestWithoutBucketsIsAdmitted() {
    try (RedisMeter meter = new RedisMeter(cluster.settings("none"))) {
      List<Outcome> outcomes =
          meter.meter(
              List.of(
                  request("a", "user"), request("b", "user", gcra("reply")), request("c", "user")));
      assertThat(outcomes).allMatch(Outcome::admitted);
    }
  }

  @Test
  void removingReachesEveryNode() {
    try (RedisMeter meter = new RedisMeter(cluster.settings("remove"))) {
      meter.meter(turns("e", users(300), 1, gcra("reply")));
      meter.probe();
      meter.removeAll();
      for (EmbeddedRedis node : cluster.nodes.subList(0, 3)) {
        Set<String> left = TestCluster.ask(node, redis -> redis.keys("remove:*"));
        assertThat(left).isEmpty();
      }
    }
  }

  @Test
  void aNodeThatIsTakenForTheWholeSaysSo() {
    RedisSettings single =
        RedisSettings.of(cluster.nodes.get(0).uri()).withTimeout(Duration.ofSeconds(10));
    try (RedisMeter meter = new RedisMeter(single)) {
      for (List<String> users : List.of(TestCluster.usersIn(16_000, 1), users(50))) {
        assertThatThrownBy(() -> meter.meter(turns("e", users, 1, gcra("reply"))))
            .isInstanceOf(LimiterUnavailableException.class)
            .hasMessageContaining("its URI is not a comma list of nodes");
      }
    }
  }

  @Test
  void aReplicaPromotedByHandTakesOver() {
    List<String> users = users(60);
    try (RedisMeter meter = new RedisMeter(cluster.settings("promoted"))) {
      List<Request> requests = turns("e", users, 8, log("reply"));
      int third = requests.size() / 8 * 3;
      assertThat(meter.meter(requests.subList(0, third))).allMatch(Outcome::admitted);
      cluster.awaitCopied(0, 3);
      cluster.promote(3);
      List<Outcome> rest = meter.meter(requests.subList(third, requests.size()));
      assertThat(rest.stream().filter(Outcome::admitted)).hasSize(2 * users.size());
    } finally {
      cluster.awaitCopied(3, 0);
      cluster.promote(0);
      cluster.awaitCopied(0, 3);
    }
  }
}
