package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisSettingsTest {
  @Test
  void impossibleSettingsAreRefused() {
    RedisSettings settings = RedisSettings.of("redis://h");
    assertThatThrownBy(() -> settings.withKeyPrefix("a{b")).hasMessageContaining("a{b");
    assertThatThrownBy(() -> settings.withKeyPrefix("")).hasMessageContaining("prefix");
    assertThatThrownBy(() -> settings.withConnections(0)).hasMessageContaining("0");
    assertThatThrownBy(() -> settings.withTimeout(Duration.ZERO)).hasMessageContaining("PT0S");
    assertThatThrownBy(() -> settings.withPatience(Duration.ofMillis(-1)))
        .hasMessageContaining("PT-0.001S");
    assertThatThrownBy(() -> settings.withGrace(Duration.ofMillis(-1)))
        .hasMessageContaining("PT-0.001S");
  }

  @Test
  void thePasswordIsNotPrinted() {
    assertThat(RedisSettings.of("redis://u:secret@h:1"))
        .hasToString("RedisSettings[h:1, keys under sluice]");
    for (String uri :
        List.of(
            "redis://u:secret@h:1",
            "redis://u:secret@h:1,redis://i:2",
            "redis-sentinel://u:secret@h:1?master=m&sentinel-password=secret")) {
      assertThat(RedisAddress.parse(uri).toString()).contains("h:1").doesNotContain("secret");
      assertThat(RedisAddress.parse(uri).credentials().toString()).doesNotContain("secret");
    }
  }

  @Test
  void onlyAListOfNodesIsACluster() {
    assertThat(RedisSettings.of("redis://h").isCluster()).isFalse();
    assertThat(RedisSettings.of("redis://h:1,redis://h:2").isCluster()).isTrue();
    assertThat(RedisSettings.of("redis-sentinel://h:1,i:2?master=m").isCluster()).isFalse();
  }
}
