package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisSettingsTest {
  @ParameterizedTest
  @CsvSource({
    "redis://h, h, 6379, '', '', 0, false",
    "redis://h:7/3, h, 7, '', '', 3, false",
    "rediss://:s%3Acret@h/, h, 6379, '', s:cret, 0, true",
    "redis://u:p:q@[::1]:7, [::1], 7, u, p:q, 0, false",
  })
  void aUriSaysWhereRedisIs(
      String uri, String host, int port, String user, String password, int db, boolean tls) {
    assertThat(RedisAddress.parse(uri))
        .isEqualTo(new RedisAddress(host, port, user, password, db, tls));
  }

  @ParameterizedTest
  @CsvSource({
    "http://h, redis://",
    "redis:///1, host",
    "redis://h/x, /db",
    "'redis://a:1,b:2', Cluster",
    "redis://u:secret@h h, URI",
  })
  void whatIsNoUriIsRefused(String uri, String wrong) {
    assertThatThrownBy(() -> RedisSettings.of(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(wrong)
        .hasMessageNotContaining("secret");
  }

  @Test
  void impossibleSettingsAreRefused() {
    RedisSettings settings = RedisSettings.of("redis://h");
    assertThatThrownBy(() -> settings.withKeyPrefix("a{b")).hasMessageContaining("a{b");
    assertThatThrownBy(() -> settings.withKeyPrefix("")).hasMessageContaining("prefix");
    assertThatThrownBy(() -> settings.withConnections(0)).hasMessageContaining("0");
    assertThatThrownBy(() -> settings.withTimeout(Duration.ZERO)).hasMessageContaining("PT0S");
    assertThatThrownBy(() -> settings.withGrace(Duration.ofMillis(-1)))
        .hasMessageContaining("PT-0.001S");
  }

  @Test
  void thePasswordIsNotPrinted() {
    assertThat(RedisSettings.of("redis://u:secret@h:1"))
        .hasToString("RedisSettings[h:1, keys under sluice]");
    assertThat(RedisAddress.parse("redis://u:secret@h:1")).hasToString("h:1");
  }
}
