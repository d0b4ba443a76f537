package io.sluice.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.LogLines;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class AnnouncerTest {
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final Announcer announcer =
      new Announcer(
          "a-limits",
          new InstanceRecord("me", "d", Map.of("reply", "5"), 0),
          producer,
          failure -> "because " + failure.getMessage(),
          () -> Instant.ofEpochMilli(7));

  @Test
  void itTellsWhichLimitsItHasAndWhenItEnds() {
    announcer.announce();
    announcer.close();
    assertThat(producer.history())
        .hasSize(2)
        .allSatisfy(each -> assertThat(new String(each.key(), UTF_8)).isEqualTo("instance/me"));
    assertThat(new String(producer.history().get(0).value(), UTF_8)).endsWith("\"time\":7}");
    assertThat(producer.history().get(1).value()).isNull();
    assertThat(producer.closed()).isTrue();
  }

  @Test
  void whoMayNotTellSaysSoOnceUntilItMay() {
    try (LogLines lines = LogLines.of(Announcer.class)) {
      producer.sendException = new TopicAuthorizationException("no");
      announcer.announce();
      announcer.announce();
      producer.sendException = null;
      announcer.announce();
      producer.sendException = new TopicAuthorizationException("no more");
      announcer.announce();
      assertThat(lines.lines())
          .containsExactly(
              "WARN cannot announce the limits of this instance to other instances, and tries again"
                  + " every minute: because no",
              "WARN cannot announce the limits of this instance to other instances, and tries again"
                  + " every minute: because no more");
    }
  }

  @Test
  void whoHasToldNothingTakesNothingBack() {
    announcer.close();
    assertThat(producer.history()).isEmpty();
  }
}
