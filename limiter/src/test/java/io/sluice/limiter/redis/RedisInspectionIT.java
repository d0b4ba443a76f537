package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.embedded.EmbeddedRedis;
import io.sluice.limiter.LimiterUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import redis.clients.jedis.Jedis;

/** Tests the inspection of a server before anything is metered in it. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RedisInspectionIT {
  private static final Duration LONG = Duration.ofSeconds(10);

  private static RedisReport inspect(String uri) {
    try (RedisMeter meter = new RedisMeter(RedisSettings.of(uri).withTimeout(LONG))) {
      return meter.inspect();
    }
  }

  private static void assertTrouble(String uri, RedisTrouble trouble) {
    assertThatThrownBy(() -> inspect(uri))
        .isInstanceOfSatisfying(
            LimiterUnavailableException.class,
            e -> assertThat(RedisTrouble.of(e)).as(e.getMessage()).isEqualTo(trouble));
  }

  @Test
  void oneThatWillDoHasNothingToSayAndNothingIsLeftInIt() {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        Jedis client = new Jedis("127.0.0.1", redis.port())) {
      assertThat(inspect(redis.uri()))
          .isEqualTo(new RedisReport(List.of(), "standalone", "noeviction"));
      assertThat(client.dbSize()).isZero();
    }
  }

  @Test
  void oneThatEvictsSaysSo() {
    String[] arguments = {"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"};
    try (EmbeddedRedis redis = EmbeddedRedis.builder().arguments(arguments).start();
        Jedis admin = new Jedis("127.0.0.1", redis.port())) {
      assertThat(inspect(redis.uri()).evicts()).isTrue();
      admin.aclSetUser("curious", "on", ">secret", "~*", "+@all", "-info");
      admin.aclSetUser("modest", "on", ">secret", "~*", "+@all", "-info", "-config");
      String as = "redis://%s:secret@127.0.0.1:" + redis.port();
      assertThat(inspect(as.formatted("curious")).evicts()).isTrue();
      assertThat(inspect(as.formatted("modest")).evicts()).isFalse();
    }
  }

  @Test
  void rightsThatAreMissingAreNamed() throws IOException {
    try (EmbeddedRedis redis = EmbeddedRedis.builder().start();
        Jedis admin = new Jedis("127.0.0.1", redis.port())) {
      String as = "redis://%s:secret@127.0.0.1:" + redis.port();
      List<String> enough = new ArrayList<>(List.of("on", ">secret", "~sluice:*", "+ping"));
      enough.addAll(Inspection.commands());
      admin.aclSetUser("enough", enough.toArray(String[]::new));
      assertThat(inspect(as.formatted("enough")).missingRights()).isEmpty();
      for (String right : Inspection.commands()) {
        List<String> lacking = new ArrayList<>(enough);
        lacking.remove(right);
        admin.aclSetUser("lacking" + right, lacking.toArray(String[]::new));
        assertThat(inspect(as.formatted("lacking%2B" + right.substring(1))).missingRights())
            .containsExactly(right);
      }
      admin.aclSetUser("elsewhere", "on", ">secret", "~other:*", "+@all");
      assertThat(inspect(as.formatted("elsewhere")).missingRights()).containsExactly("~sluice:*");
    }
  }

  /** The inspected rights are those that the README lists for a meter's user. */
  @Test
  void whatIsLookedAtIsWhatThePageSays() throws IOException {
    String page = Files.readString(Path.of("README.md"));
    int from = page.indexOf("ACL SETUSER sluice");
    String[] words = page.substring(from, page.indexOf("```", from)).split("\\s+");
    List<String> rights = Arrays.stream(words).filter(word -> word.startsWith("+")).toList();
    List<String> looked = new ArrayList<>(Inspection.commands());
    looked.addAll(List.of("+ping", "+select"));
    assertThat(rights).containsExactlyInAnyOrderElementsOf(looked);
  }

  @Test
  void everyTroubleIsToldFromTheOthers() {
    String[] arguments = {"--requirepass", "secret"};
    try (EmbeddedRedis redis = EmbeddedRedis.builder().arguments(arguments).start()) {
      String at = "127.0.0.1:" + redis.port();
      assertTrouble("redis://" + at, RedisTrouble.PASSWORD_MISSING);
      assertTrouble("redis://:wrong@" + at, RedisTrouble.PASSWORD_WRONG);
      assertTrouble("redis://nobody:secret@" + at, RedisTrouble.PASSWORD_WRONG);
      assertTrouble("redis://:secret@" + at + ",redis://:secret@" + at, RedisTrouble.NOT_A_CLUSTER);
      redis.pause();
      try (RedisMeter meter =
          new RedisMeter(
              RedisSettings.of("redis://:secret@" + at).withTimeout(Duration.ofMillis(100)))) {
        assertThatThrownBy(meter::inspect)
            .isInstanceOfSatisfying(
                LimiterUnavailableException.class,
                e -> assertThat(RedisTrouble.of(e)).isEqualTo(RedisTrouble.SILENT));
      }
      redis.resume();
      redis.kill();
      assertTrouble("redis://:secret@" + at, RedisTrouble.REFUSED);
    }
    assertTrouble("redis://no-such-host.invalid:6379", RedisTrouble.UNKNOWN_HOST);
  }

  @Test
  void aReplicaAndOneThatIsFullTakeNoWrites() {
    try (EmbeddedRedis master = EmbeddedRedis.builder().start();
        EmbeddedRedis replica =
            EmbeddedRedis.builder()
                .arguments("--replicaof", "127.0.0.1", Integer.toString(master.port()))
                .start();
        EmbeddedRedis full = EmbeddedRedis.builder().arguments("--maxmemory", "1").start()) {
      assertTrouble(replica.uri(), RedisTrouble.READ_ONLY);
      assertTrouble(full.uri(), RedisTrouble.OUT_OF_MEMORY);
    }
  }

  @Test
  void aSentinelAndANodeOfAClusterAreNotServersOfTheirOwn() {
    try (EmbeddedRedis sentinel =
            EmbeddedRedis.builder().sentinel("sentinel monitor other 127.0.0.1 1 1").start();
        TestCluster cluster = new TestCluster(3)) {
      assertTrouble(sentinel.uri(), RedisTrouble.UNKNOWN_COMMAND);
      int elsewhere = 0;
      for (EmbeddedRedis node : cluster.nodes) {
        try {
          assertThat(inspect(node.uri()).mode()).isEqualTo("cluster");
        } catch (LimiterUnavailableException e) {
          assertThat(RedisTrouble.of(e)).isEqualTo(RedisTrouble.OF_A_CLUSTER);
          elsewhere++;
        }
      }
      assertThat(elsewhere).isEqualTo(2);
    }
  }

  @Test
  void everyMasterOfAClusterIsAsked() {
    try (TestCluster cluster = new TestCluster(3);
        RedisMeter meter = new RedisMeter(cluster.settings("asked"))) {
      assertThat(meter.inspect().missingRights()).isEmpty();
      TestCluster.ask(cluster.nodes.get(2), redis -> redis.configSet("maxmemory", "1"));
      assertThatThrownBy(meter::inspect)
          .isInstanceOfSatisfying(
              LimiterUnavailableException.class,
              e -> assertThat(RedisTrouble.of(e)).isEqualTo(RedisTrouble.OUT_OF_MEMORY));
    }
  }
}
