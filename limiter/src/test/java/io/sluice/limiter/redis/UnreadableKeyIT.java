package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering.Standing;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.ValueHash;
import io.sluice.limiter.async.AsyncRedisMeter;
import io.sluice.limiter.filter.FilterSize;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.testing.TestScale;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;

/**
 * Tests that values which the script cannot read fail the arrivals with their keys, and no others.
 */
class UnreadableKeyIT {
  private static final long NOW = 1_700_000_000_000_000L;
  private static final String BROKEN = "user0";

  @RegisterExtension static final FreshRedis redis = new FreshRedis();

  /** Outcomes and failures of requests, by their index. */
  private static final class Answers implements Outcomes {
    final Map<Integer, Outcome> outcomes = new TreeMap<>();
    final Map<Integer, UnreadableKeyException> failures = new TreeMap<>();

    static Answers of(RedisMeter meter, List<Request> requests) {
      Answers answers = new Answers();
      int unused = meter.meter(requests.iterator(), answers);
      return answers;
    }

    @Override
    public void answered(int index, Outcome outcome) {
      outcomes.put(index, outcome);
    }

    @Override
    public void failed(int index, UnreadableKeyException why) {
      failures.put(index, why);
    }
  }

  /** Values that another program may have left in a key. */
  private enum Garbage {
    LIST,
    HASH,
    OTHER_TYPE,
    SHORT,
    BYTES,
    NUMBERS;

    void put(RedisClient client, byte[] key, SplittableRandom random) {
      boolean isSet = client.type(new String(key, UTF_8)).equals("zset");
      client.del(key);
      switch (this) {
        case LIST -> client.rpush(key, key);
        case HASH -> client.hset(key, key, key);
        case OTHER_TYPE -> {
          if (isSet) client.set(key, key);
          else client.zadd(key, 7, key);
        }
        case SHORT -> put(client, key, isSet, new byte[random.nextInt(12)], 3);
        case BYTES -> {
          byte[] bytes = new byte[random.nextInt(200)];
          random.nextBytes(bytes);
          put(client, key, isSet, bytes, random.nextDouble() * 1e19);
        }
        case NUMBERS -> {
          double[] numbers = {1e300, Double.NaN, -5, 0.5, 9.1e15, Double.POSITIVE_INFINITY, 1};
          ByteBuffer bytes = ByteBuffer.allocate(96).order(ByteOrder.LITTLE_ENDIAN);
          for (int i = 0; i < 12; i++) bytes.putDouble(numbers[random.nextInt(numbers.length)]);
          double score = numbers[random.nextInt(numbers.length)];
          put(client, key, isSet, bytes.array(), Double.isNaN(score) ? 1e300 : score);
        }
      }
    }

    private static void put(
        RedisClient client, byte[] key, boolean isSet, byte[] value, double score) {
      if (isSet) client.zadd(key, score, value);
      else client.set(key, value);
    }
  }

  private static boolean isBroken(Request request) {
    return request.buckets().stream().anyMatch(bucket -> bucket.key().equals(BROKEN));
  }

  private static Request request(Rule rule, String user, String id) {
    return Request.of(new Arrival(id, 1, NOW), List.of(new Bucket(rule, user)));
  }

  private static RedisSettings settingsOf(String user) {
    RedisSettings settings = redis.settings("sluice");
    return RedisSettings.of(settings.uri().replace("redis://", "redis://" + user + ":pw@"))
        .withTimeout(settings.timeout());
  }

  private static void acl(String user, String... rules) {
    CommandArguments command = new CommandArguments(Protocol.Command.ACL).add("SETUSER").add(user);
    for (String each : rules) command.add(each);
    Object unused = redis.client.executeCommand(command);
  }

  private static byte[] key(Rule rule, String user) {
    return new RedisKeys("sluice").of(new Bucket(rule, user));
  }

  private static void assertOthersAreMetered(
      List<Request> requests, Answers expected, Answers found) {
    for (int i = 0; i < requests.size(); i++) {
      if (isBroken(requests.get(i))) {
        assertThat(found.outcomes.containsKey(i) || found.failures.containsKey(i)).isTrue();
      } else {
        assertThat(found.outcomes.get(i)).as("request %d", i).isEqualTo(expected.outcomes.get(i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Garbage.class)
  void othersAreMeteredAsIfItWereNotThere(Garbage garbage) {
    for (long seed = 0; seed < TestScale.of(10, 40); seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      redis.client.flushAll();
      List<Request> all = RedisTraffic.ofCluster(seed, 600).requests();
      List<Request> before = all.subList(0, 300);
      List<Request> after = new ArrayList<>();
      for (int i = 300; i < 600; i++) {
        after.add(RedisTraffic.at(new Position("app/in-0", i), all.get(i)));
      }
      Answers expected;
      try (RedisMeter undisturbed = new RedisMeter(redis.settings("undisturbed"))) {
        Answers.of(undisturbed, before);
        expected = Answers.of(undisturbed, after);
      }
      Answers.of(redis.meter, before);
      for (String key : redis.client.keys("sluice:{" + BROKEN + "}*")) {
        garbage.put(redis.client, key.getBytes(UTF_8), random);
      }
      Answers found = Answers.of(redis.meter, after);
      assertOthersAreMetered(after, expected, found);
      assertThat(Answers.of(redis.meter, after).outcomes)
          .as("asked again, seed %d", seed)
          .containsAllEntriesOf(found.outcomes);
    }
  }

  @Test
  void theFailureNamesTheKeyAndTheRestOfTheListIsMetered() {
    Rule rule = Rule.policing("reply", Quota.parse("2/1h"), Algorithm.GCRA);
    redis.client.rpush(key(rule, BROKEN), key(rule, BROKEN));
    List<Request> requests =
        List.of(request(rule, "ann", "a"), request(rule, BROKEN, "b"), request(rule, "ann", "c"));
    assertThatThrownBy(() -> redis.meter.meter(requests))
        .isInstanceOfSatisfying(
            UnreadableKeyException.class,
            e -> assertThat(e.key()).isEqualTo(new String(key(rule, BROKEN), UTF_8)))
        .hasMessageContaining("WRONGTYPE");
    assertThat(redis.meter.meter(request(rule, "ann", "d")).admitted()).isFalse();
    assertThatThrownBy(
            () -> redis.meter.ask(new Arrival("", 1, NOW), List.of(new Bucket(rule, BROKEN))))
        .isInstanceOf(UnreadableKeyException.class);
  }

  /** The rest of a batch behind many failures is metered, and so are later batches. */
  @Test
  void manyBatchesGoOn() {
    Rule rule = Rule.policing("reply", Quota.parse("2/1h"), Algorithm.SLIDING_WINDOW_LOG);
    redis.client.set(key(rule, BROKEN), "x".getBytes(UTF_8));
    List<Request> requests =
        IntStream.range(0, 2_000)
            .mapToObj(i -> request(rule, i % 3 == 0 ? BROKEN : "user" + i, "e" + i))
            .toList();
    Answers answers = Answers.of(redis.meter, requests);
    assertThat(answers.failures.keySet()).hasSize(667).allMatch(i -> i % 3 == 0);
    assertThat(answers.outcomes.values()).hasSize(1_333).allMatch(Outcome::admitted);
  }

  /** Redis checks the rights to all keys of a call before it runs the script. */
  @Test
  void aKeyToWhichThereIsNoRightFailsAlone() {
    Rule rule = Rule.policing("reply", Quota.parse("2/1h"), Algorithm.GCRA);
    acl("half", "on", ">pw", "+@all", "~sluice:{[^u]*", "~sluice:{user1}*");
    try (RedisMeter meter = new RedisMeter(settingsOf("half"))) {
      List<Request> requests =
          IntStream.range(0, 10).mapToObj(i -> request(rule, "user" + i % 2, "e" + i)).toList();
      Answers answers = Answers.of(meter, requests);
      assertThat(answers.failures.keySet()).containsExactly(0, 2, 4, 6, 8);
      assertThat(answers.outcomes.values())
          .extracting(Outcome::admitted)
          .containsExactly(true, true, false, false, false);
    }
  }

  /** It is not a failure of one key, so a policy for such failures must not apply. */
  @ParameterizedTest
  @ValueSource(strings = {"~other:*", "-set", "-evalsha"})
  void aServerThatRefusesEveryCallIsUnavailable(String right) {
    Rule rule = Rule.policing("reply", Quota.parse("2/1h"), Algorithm.GCRA);
    acl("none", "reset", "on", ">pw", "+@all", "~*");
    if (right.startsWith("~")) acl("none", "resetkeys");
    acl("none", right);
    try (RedisMeter meter = new RedisMeter(settingsOf("none"))) {
      assertThatThrownBy(() -> meter.meter(request(rule, "ann", "a")))
          .isInstanceOf(LimiterUnavailableException.class)
          .isNotInstanceOf(UnreadableKeyException.class);
    }
  }

  @Test
  void aFullServerIsUnavailable() {
    Rule rule = Rule.policing("reply", Quota.parse("2/1h"), Algorithm.GCRA);
    redis.client.configSet("maxmemory", "1");
    try {
      assertThatThrownBy(() -> redis.meter.meter(request(rule, "ann", "a")))
          .isInstanceOf(LimiterUnavailableException.class)
          .isNotInstanceOf(UnreadableKeyException.class);
    } finally {
      redis.client.configSet("maxmemory", "0");
    }
  }

  /** A journal belongs to all arrivals of its sequence, and all of them would fail. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJournalThatCannotBeReadBeginsAnew(boolean otherType) {
    Rule rule = Rule.policing("reply", Quota.parse("2/1h"), Algorithm.GCRA);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Request each = request(rule, "ann", "e" + i);
      requests.add(
          new Request(each.arrival(), each.buckets(), Standing.NONE, new Position("app/in-0", i)));
    }
    String journal = new String(new RedisKeys("sluice").journal("app/in-0", 0), UTF_8);
    if (otherType) redis.client.set(journal, "x");
    else redis.client.rpush(journal, "9:b");
    List<Outcome> first = redis.meter.meter(requests);
    assertThat(first).extracting(Outcome::admitted).startsWith(true, true, false);
    assertThat(redis.meter.meter(requests)).isEqualTo(first);
  }

  /** Some algorithms have further keys, and a charge reads more of them than the decision. */
  @ParameterizedTest
  @EnumSource(names = {"BLOOM", "HYPERLOGLOG"})
  void anErrorOfAFurtherKeyIsFoundBeforeAnyLimitIsCharged(Algorithm algorithm) {
    boolean filters = algorithm == Algorithm.BLOOM;
    Rule other = Rule.policing("reply", Quota.parse("9/1h"), Algorithm.GCRA);
    Quota quota = Quota.parse(filters ? "1/1h" : "9/1h");
    Rule plain = Rule.policing("first", quota, algorithm);
    Rule rule = filters ? plain.with(new FilterSize(100, 0.01)) : plain;
    redis.meter.meter(further(other, rule, 0));
    List<String> further =
        redis.client.keys("*first*").stream().filter(name -> !name.endsWith("1:")).toList();
    assertThat(further).isNotEmpty();
    int failures = 0;
    for (int i = 0; i < further.size(); i++) {
      String name = further.get(i);
      byte[] saved = redis.client.dump(name);
      redis.client.del(name);
      redis.client.rpush(name, "a list");
      Request request = further(other, rule, i + 1);
      try {
        redis.meter.meter(request);
      } catch (UnreadableKeyException e) {
        failures++;
        assertThat(redis.client.exists(key(other, "user" + (i + 1)))).as(name).isFalse();
      }
      redis.client.del(name);
      redis.client.restore(name, 0, saved);
    }
    assertThat(failures).isPositive();
  }

  private static Request further(Rule other, Rule rule, int i) {
    Bucket last =
        rule.algorithm() == Algorithm.BLOOM
            ? new Bucket(rule, "value" + i)
            : new Bucket(rule, "all", "all", new ValueHash(i, 7 * i));
    return Request.of(
        new Arrival("event" + i, 1, NOW), List.of(new Bucket(other, "user" + i), last));
  }

  @Test
  void onlyTheStageOfTheKeyFails() {
    Rule rule = Rule.policing("reply", Quota.parse("2/1h"), Algorithm.GCRA);
    redis.client.rpush(key(rule, BROKEN), key(rule, BROKEN));
    InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(NOW / 1_000_000));
    try (AsyncRedisMeter meter = new AsyncRedisMeter(redis.settings("sluice"))) {
      List<CompletableFuture<Decision>> all = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String user = i % 3 == 0 ? BROKEN : "user" + i;
        all.add(meter.limiter(rule, clock).meter(user, 1).toCompletableFuture());
      }
      for (int i = 0; i < 60; i++) {
        if (i % 3 == 0) {
          assertThat(all.get(i))
              .failsWithin(Duration.ofSeconds(20))
              .withThrowableThat()
              .withCauseInstanceOf(UnreadableKeyException.class);
        } else {
          assertThat(all.get(i).join()).isInstanceOf(Decision.Conforming.class);
        }
      }
    }
  }

  @Test
  void onAClusterTheOthersOfAllSlotsAreMetered() {
    Rule rule = Rule.policing("reply", Quota.parse("2/1h"), Algorithm.GCRA);
    try (TestCluster cluster = new TestCluster(3);
        RedisMeter meter = new RedisMeter(cluster.settings("sluice"))) {
      List<Request> requests =
          IntStream.range(0, 1_000)
              .mapToObj(i -> request(rule, "user" + i % 100, "e" + i))
              .toList();
      EmbeddedRedis owner = cluster.nodes.get(TestCluster.ownerOf(TestCluster.slotOf(BROKEN)));
      TestCluster.ask(owner, node -> node.rpush(key(rule, BROKEN), key(rule, BROKEN)));
      Answers answers = Answers.of(meter, requests);
      assertThat(answers.failures.keySet()).hasSize(10).allMatch(i -> i % 100 == 0);
      assertThat(answers.outcomes.values().stream().filter(Outcome::admitted)).hasSize(2 * 99);
    }
  }
}
