package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests the script's errors, with keys that hold values no limiter has written. */
class MeterScriptIT {
  private static final Pattern PLACE = Pattern.compile("(\\w+\\.lua):(\\d+)");

  private static Throwable failure(Algorithm algorithm) {
    Rule rule = Rule.policing("reply", Quota.parse("5/60s"), algorithm);
    try (RedisTestServer redis = new RedisTestServer();
        RedisMeter meter = new RedisMeter(redis.settings("sluice"))) {
      redis.client.set("sluice:{ann}:reply:" + algorithm.script().keyVersion() + ":ann", "odd");
      Arrival arrival = new Arrival("event", 1, 1);
      return catchThrowable(
          () -> meter.meter(Request.of(arrival, List.of(new Bucket(rule, "ann")))));
    }
  }

  private static String lineNamedBy(Throwable failure) throws IOException {
    assertThat(failure).isInstanceOf(LimiterUnavailableException.class);
    assertThat(failure.getMessage()).doesNotContain("user_script:");
    Matcher place = PLACE.matcher(failure.getMessage());
    assertThat(place.find()).as(failure.getMessage()).isTrue();
    try (InputStream in = MeterScript.class.getResourceAsStream("meter/" + place.group(1))) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      return lines.get(Integer.parseInt(place.group(2)) - 1);
    }
  }

  @Test
  void aCommandThatFailsIsNamedByItsKey() {
    assertThat(failure(Algorithm.SLIDING_WINDOW_LOG))
        .isInstanceOf(UnreadableKeyException.class)
        .hasMessageContaining("sluice:{ann}:reply:")
        .hasMessageContaining("WRONGTYPE");
  }

  @Test
  void anErrorInLuaIsNamedByPartAndLine() throws IOException {
    assertThat(lineNamedBy(failure(Algorithm.GCRA))).contains("unpack('<dddd', value)");
  }
}
