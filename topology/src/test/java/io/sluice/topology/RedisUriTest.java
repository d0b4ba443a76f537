package io.sluice.topology;

import static io.sluice.topology.ConfigText.config;
import static io.sluice.topology.ConfigText.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUriTest {
  @ParameterizedTest
  @CsvSource({
    "redis://localhost, redis://localhost:6379",
    "redis://localhost:, redis://localhost:6379",
    "redis://localhost/2, redis://localhost:6379/2",
    "rediss://me:p%40ss@redis.example.org:7000/1, rediss://me:p%40ss@redis.example.org:7000/1",
    "rediss://me:p%40ss@redis.example.org, rediss://me:p%40ss@redis.example.org:6379",
    "redis://[::1], redis://[::1]:6379",
  })
  void everyNodeHasAPort(String given, String uri) {
    assertThat(config("sluice.redis.uri=" + given).redis().uri()).isEqualTo(uri);
  }

  @Test
  void severalNodesAreACluster() {
    RedisConfig redis = config("sluice.redis.uri=redis://a:1, redis://b:2/0").redis();

    assertThat(redis.isCluster()).isTrue();
    assertThat(redis.uri()).isEqualTo("redis://a:1,redis://b:2/0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost:6379",
        "http://localhost",
        "redis:localhost",
        "redis://",
        "redis:///1",
        "redis://localhost:0",
        "redis://localhost:65536",
        "redis://localhost/one",
        "redis://localhost?db=1",
        "redis://a,,redis://b",
        "redis://a b"
      })
  void anythingElseIsAMistake(String uri) {
    assertThat(mistakes("sluice.redis.uri=" + uri))
        .containsExactly(
            "sluice.redis.uri="
                + uri
                + ": Redis is redis://[user:password@]host[:port][/db], or rediss:// for TLS; a"
                + " comma list is the nodes of a cluster");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://a,rediss://b", "redis://a,redis://b/1"})
  void theNodesOfAClusterAreAlike(String uri) {
    assertThat(mistakes("sluice.redis.uri=" + uri))
        .containsExactly(
            "sluice.redis.uri="
                + uri
                + ": the nodes of a cluster are all redis:// or all rediss://, and have database 0"
                + " only");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://me:secret@a/x",
        "redis://me:sec,secret@a/x",
        "redis://x:y@b,redis://me:secret@a/x"
      })
  void aPasswordIsNotRepeated(String uri) {
    assertThat(mistakes("sluice.redis.uri=" + uri))
        .singleElement()
        .asString()
        .startsWith("sluice.redis.uri=redis://...@a/x: ")
        .doesNotContain("secret");
  }

  @Test
  void aPasswordIsNotLogged() {
    SluiceConfig config =
        config("sluice.redis.uri=redis://me:secret@a", "sluice.limit.reply.backend=redis");

    assertThat(config.redis()).hasToString("redis://...@a:6379");
    assertThat(config.explain()).contains("redis://...@a:6379").doesNotContain("secret");
  }
}
