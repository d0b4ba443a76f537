package io.sluice.rules.limit;

import static io.sluice.rules.settings.LimitsText.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Field;
import io.sluice.rules.settings.LimitsConfig;
import org.junit.jupiter.api.Test;

class LimitsTest {
  @Test
  void usersArePreferred() {
    assertThat(config("sluice.limit.reply.key=target,userId").limits().storedHome())
        .contains(Field.USER_ID);
  }

  @Test
  void elseItIsTheFirstFieldThatAllShare() {
    LimitsConfig config =
        config(
            "sluice.limits=reply,post",
            "sluice.limit.reply.key=action,target,attributes.country",
            "sluice.limit.post.quota=1/1s",
            "sluice.limit.post.key=attributes.country,userId,target");

    assertThat(config.limits().storedHome()).contains(Field.TARGET);
  }

  @Test
  void limitsOnRedisHaveNoSay() {
    LimitsConfig config =
        config(
            "sluice.redis.uri=redis://localhost",
            "sluice.limits=post,reply",
            "sluice.limit.post.quota=1/1s",
            "sluice.limit.post.key=",
            "sluice.limit.post.backend=redis",
            "sluice.limit.reply.key=target");

    assertThat(config.limits().storedHome()).contains(Field.TARGET);
  }

  @Test
  void whatRedisDelaysIsHomedSoThatItKeepsItsOrder() {
    LimitsConfig config =
        config(
            "sluice.redis.uri=redis://localhost",
            "sluice.limits=reply,mail,all,watched",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.mail.quota=1/1s",
            "sluice.limit.mail.key=target,action",
            "sluice.limit.mail.backend=redis",
            "sluice.limit.mail.exceeded=delay",
            "sluice.limit.all.quota=1/1s",
            "sluice.limit.all.key=",
            "sluice.limit.all.backend=redis",
            "sluice.limit.watched.quota=1/1s",
            "sluice.limit.watched.backend=redis",
            "sluice.limit.watched.mode=shadow",
            "sluice.limit.watched.exceeded=delay");

    assertThat(config.limits().home()).isEqualTo(Field.TARGET);
    assertThat(config.limits().homed()).extracting(Limit::name).containsExactly("mail");
    assertThat(config.limits().ordered()).extracting(Limit::name).containsExactly("mail");
  }

  @Test
  void theStateStoreDecidesWhereEventsAreHomedAndRedisFollowsIfItCan() {
    LimitsConfig config =
        config(
            "sluice.redis.uri=redis://localhost",
            "sluice.limits=reply,mail,page",
            "sluice.limit.reply.key=target",
            "sluice.limit.mail.quota=1/1s",
            "sluice.limit.mail.backend=redis",
            "sluice.limit.mail.exceeded=delay",
            "sluice.limit.page.quota=1/1s",
            "sluice.limit.page.key=userId,target",
            "sluice.limit.page.backend=redis",
            "sluice.limit.page.exceeded=delay");

    assertThat(config.limits().home()).isEqualTo(Field.TARGET);
    assertThat(config.limits().homed()).extracting(Limit::name).containsExactly("reply", "page");
  }

  @Test
  void withoutLimitsOnTheStateStoreNothingIsHomed() {
    assertThat(
            config("sluice.redis.uri=redis://localhost", "sluice.limit.reply.backend=redis")
                .limits()
                .storedHome())
        .isEmpty();
  }
}
