package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;

/**
 * Tests that a Jedis which lacks methods is refused, as a BOM of another library may choose one.
 */
class JedisConfigTest {
  /** Builder as in a release that cannot choose the protocol. */
  static final class OlderBuilder {}

  @Test
  void anOlderJedisIsRefusedBeforeItIsUsed() {
    assertThatThrownBy(() -> JedisConfig.requireJedis(OlderBuilder.class))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Jedis is older than 8 on the class path (")
        .hasMessageEndingWith("): set redis.clients:jedis to 8.0.2 or later in the build");
  }

  @Test
  void theOneOfTheBuildIsAccepted() {
    assertThatCode(() -> JedisConfig.requireJedis(DefaultJedisClientConfig.Builder.class))
        .doesNotThrowAnyException();
  }
}
