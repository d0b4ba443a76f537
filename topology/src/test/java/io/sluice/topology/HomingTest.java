package io.sluice.topology;

import static io.sluice.topology.ConfigText.config;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HomingTest {
  @Test
  void usersArePreferred() {
    assertThat(config("sluice.limit.reply.key=target,userId").home()).contains(Field.USER_ID);
  }

  @Test
  void elseItIsTheFirstFieldThatAllShare() {
    SluiceConfig config =
        config(
            "sluice.limits=reply,post",
            "sluice.limit.reply.key=action,target,attributes.country",
            "sluice.limit.post.quota=1/1s",
            "sluice.limit.post.key=attributes.country,userId,target");

    assertThat(config.home()).contains(Field.TARGET);
  }

  @Test
  void limitsOnRedisHaveNoSay() {
    SluiceConfig config =
        config(
            "sluice.redis.uri=redis://localhost",
            "sluice.limits=post,reply",
            "sluice.limit.post.quota=1/1s",
            "sluice.limit.post.key=",
            "sluice.limit.post.backend=redis",
            "sluice.limit.reply.key=target");

    assertThat(config.home()).contains(Field.TARGET);
  }

  @Test
  void withoutLimitsOnTheStateStoreNothingIsHomed() {
    assertThat(
            config("sluice.redis.uri=redis://localhost", "sluice.limit.reply.backend=redis").home())
        .isEmpty();
  }
}
