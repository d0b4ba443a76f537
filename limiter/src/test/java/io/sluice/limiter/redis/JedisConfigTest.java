package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;

/** What chooses the versions of other libraries may choose a Jedis that lacks methods. */
class JedisConfigTest {
  /** As of a release that always speaks the protocol that it is not asked for. */
  static final class OlderBuilder {}

  @Test
  void anOlderJedisIsRefusedBeforeItIsUsed() {
    assertThatThrownBy(() -> JedisConfig.requireJedis(OlderBuilder.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Jedis is older than 8 on the class path (")
        .hasMessageEndingWith("): have the build choose redis.clients:jedis 8.0.2 or later");
  }

  @Test
  void theOneOfTheBuildIsAccepted() {
    assertThatCode(() -> JedisConfig.requireJedis(DefaultJedisClientConfig.Builder.class))
        .doesNotThrowAnyException();
  }
}
