package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.redis.RedisAddress.Cluster;
import io.sluice.limiter.redis.RedisAddress.Sentinels;
import io.sluice.limiter.redis.RedisAddress.Server;
import io.sluice.limiter.redis.RedisUri.Credentials;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.HostAndPort;

class RedisUriTest {
  @ParameterizedTest
  @CsvSource({
    "redis://h, h, 6379, '', '', 0, false",
    "redis://h:7/3, h, 7, '', '', 3, false",
    "rediss://:s%3Acret@h/, h, 6379, '', s:cret, 0, true",
    "redis://u:p:q@[::1]:7, [::1], 7, u, p:q, 0, false",
  })
  void oneServer(
      String uri, String host, int port, String user, String password, int db, boolean tls) {
    assertThat(RedisUri.parse(uri))
        .isEqualTo(
            new Server(new HostAndPort(host, port), new Credentials(user, password, db, tls)));
  }

  @ParameterizedTest
  @CsvSource({
    "'redis://a:1,redis://b', '', '', false",
    "'rediss://u:p@a:1, rediss://u:p@b/0', u, p, true",
    "'redis://a:1,redis://:p@b', '', p, false",
  })
  void theNodesOfACluster(String uri, String user, String password, boolean tls) {
    List<HostAndPort> nodes = List.of(new HostAndPort("a", 1), new HostAndPort("b", 6379));
    assertThat(RedisUri.parse(uri))
        .isEqualTo(new Cluster(nodes, new Credentials(user, password, 0, tls)));
  }

  /** A list with the same node twice: one name leads to all nodes. */
  @Test
  void aClusterMayBeKnownByOneName() {
    assertThat(RedisUri.parse("redis://all:1,redis://all:1"))
        .isEqualTo(
            new Cluster(List.of(new HostAndPort("all", 1)), new Credentials("", "", 0, false)));
  }

  @Test
  void sentinelsNameTheServer() {
    HostAndPort a = new HostAndPort("a", 26379);
    assertThat(RedisUri.parse("redis-sentinel://a?master=m"))
        .isEqualTo(
            new Sentinels(
                "m",
                List.of(a),
                new Credentials("", "", 0, false),
                new Credentials("", "", 0, false)));
    assertThat(
            RedisUri.parse(
                "rediss-sentinel://u:p%40q@a,[::1]:7/3"
                    + "?sentinel-user=s&master=m&sentinel-password=t%26+"))
        .isEqualTo(
            new Sentinels(
                "m",
                List.of(a, new HostAndPort("[::1]", 7)),
                new Credentials("u", "p@q", 3, true),
                new Credentials("s", "t&+", 0, true)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "h:6379",
        "http://h",
        "redis:///1",
        "redis://h:0",
        "redis://h:65536",
        "redis://h/x",
        "redis://a,,redis://b",
        "redis://h?master=m",
        "redis://a:1,b:2",
        "redis://u:secret@h h",
        "redis://u:sec,ret@h",
        "redis-sentinel://a",
        "redis-sentinel://u:secret@a",
        "redis-sentinel://u:secret@a?master=",
        "redis-sentinel://a,?master=m",
        "redis-sentinel://a/x?master=m",
        "redis-sentinel://a?master=m&master=n",
        "redis-sentinel://a?master=m&sentinel-pass=secret",
        "redis-sentinel://a?master=m&sentinel-password=secret%zz",
        "redis-sentinel://u:secret@a,u:secret@b?master=m",
      })
  void anythingElseIsRefused(String uri) {
    assertThatThrownBy(() -> RedisUri.parse(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Redis is redis://[user:password@]host[:port][/db]; ")
        .hasMessageNotContaining("secret")
        .hasNoCause();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://a,rediss://b",
        "redis://a,redis://b/1",
        "redis://a/1,redis://b/1",
        "redis://u:secret@a,redis://u:secret2@b"
      })
  void theNodesOfAClusterAreAlike(String uri) {
    assertThatThrownBy(() -> RedisUri.parse(uri))
        .hasMessageStartingWith("the nodes of a Cluster must be all ")
        .hasMessageNotContaining("secret");
  }
}
