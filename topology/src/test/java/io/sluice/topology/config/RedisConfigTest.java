package io.sluice.topology.config;

import static io.sluice.topology.config.ConfigText.config;
import static io.sluice.topology.config.ConfigText.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.settings.RedisConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the settings for Redis. The limiter tests which URIs are valid. */
class RedisConfigTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "redis://localhost false",
        "rediss://me:p%40ss@redis.example.org:7000/1 false",
        "redis://[::1] false",
        "redis://a:1,redis://b:2/0 true",
        "redis-sentinel://me:p@a,b:2/1?master=m&sentinel-password=s false",
      })
  void aUriIsTakenAsItIs(String uri, boolean cluster) {
    RedisConfig redis = config("sluice.redis.uri=" + uri).redis();

    assertThat(redis.uri()).isEqualTo(uri);
    assertThat(redis.isCluster()).isEqualTo(cluster);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "localhost:6379"})
  void anythingElseIsAMistake(String uri) {
    assertThat(mistakes("sluice.redis.uri=" + uri))
        .singleElement()
        .asString()
        .startsWith(
            "sluice.redis.uri=" + uri + ": Redis is redis://[user:password@]host[:port][/db]; ");
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
  void norIsThatOfSentinels() {
    assertThat(mistakes("sluice.redis.uri=redis-sentinel://a?Sentinel_Pass=secret&master=m"))
        .singleElement()
        .asString()
        .startsWith("sluice.redis.uri=redis-sentinel://a?Sentinel_Pass=...&master=m: ")
        .doesNotContain("secret");
  }

  /** The slashes or the host are missing, or a character in the password ends it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis:me:secret@a",
        "redis:/me:secret@a",
        "redis//me:secret@a",
        "REDIS:me:secret@a",
        "me:secret@a",
        "secret@a",
        "me:secret@",
        "me:secret",
        ":secret",
        "redis:secret",
        "redis:me:secret",
        "redis://:secret",
        "redis://me:secret",
        "redis://me:p@secret@a:x",
        "redis://me:secret@p@a:x",
        "redis://me:p?secret@a",
        "redis://me:secret?p@a",
        "redis://me:p#secret",
        "redis://me:p/secret",
        "redis://a:6379@me:secret",
        "redis://a:1,redis://me:secret",
        "redis-sentinel://a?sentinel-pasword=secret&master=m",
        "redis-sentinel://a?sentinel-password=p@secret&master=",
        "redis-sentinel://a?sentinel-password=p&secret&master=m",
        "redis-sentinel://a?secret",
        "redis-sentinel://a?master=me:secret@a&master=",
        "redis://me:se\\ncret:secret@a:x"
      })
  void aPasswordIsNotRepeatedHoweverTheUriIsMalformed(String uri) {
    assertThat(mistakes("sluice.redis.uri=" + uri))
        .singleElement()
        .asString()
        .startsWith("sluice.redis.uri=")
        .contains("...")
        .doesNotContain("secret");
    assertThat(mistakes("sluice.schemas.url=" + uri.replace("redis-sentinel:", "http:")))
        .allSatisfy(line -> assertThat(line).doesNotContain("secret"));
  }

  @ParameterizedTest
  @CsvSource({
    "redis://a:x, redis://a:...",
    "redis:a@b, redis:...@b",
    "redis://b:6379/x, redis://b:6379/x",
    "[::1]:6379, [::1]:6379",
  })
  void whatIsNoPasswordIsShown(String uri, String shown) {
    assertThat(mistakes("sluice.redis.uri=" + uri))
        .singleElement()
        .asString()
        .startsWith("sluice.redis.uri=" + shown + ": ");
  }

  @Test
  void aPasswordInAnotherAddressIsNotRepeated() {
    assertThat(mistakes("num.stream.threads=me:secret@a", "max.poll.records=http://me:secret@a"))
        .containsExactly(
            "num.stream.threads=...@a: Not a number of type INT",
            "max.poll.records=http://...@a: Not a number of type INT");
    assertThat(mistakes("main.consumer.auto.offset.reset=redis:me:secret@a"))
        .allSatisfy(line -> assertThat(line).doesNotContain("secret"));
  }

  @ParameterizedTest
  @CsvSource({
    "redis://me:secret@a, redis://...@a",
    "redis-sentinel://a?sentinel-password=p@secret&master=m,"
        + " redis-sentinel://...?sentinel-password=...&master=m",
    "redis-sentinel://me:secret@a/1?sentinel-password=secret&master=m,"
        + " redis-sentinel://...@a/1?sentinel-password=...&master=m",
  })
  void aPasswordIsNotLogged(String uri, String shown) {
    SluiceConfig config = config("sluice.redis.uri=" + uri, "sluice.limit.reply.backend=redis");

    assertThat(config.redis()).hasToString(shown);
    assertThat(ConfigReport.summary(config)).contains(shown).doesNotContain("secret");
  }
}
