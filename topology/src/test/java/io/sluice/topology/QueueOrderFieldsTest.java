package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of events whose class or tenant is not readable. */
class QueueOrderFieldsTest {
  private static final String QUEUE = "sluice.limit.post.exceeded=queue";
  private static final List<String> PRIORITY =
      List.of("sluice.queue.priority=attributes.kind", "sluice.queue.priorities=otp,*");

  private static Harness harness(List<String> order) {
    List<String> lines = new ArrayList<>(order);
    lines.addAll(List.of("sluice.limits=post", "sluice.limit.post.quota=9/60s", QUEUE));
    return new Harness(lines.toArray(String[]::new));
  }

  private static void send(Harness sluice, String attributes) {
    String event =
        "{'eventId':'e','userId':'ada','action':'post','occurredAt':%d,'attributes':{%s}}"
            .formatted(Harness.NOON_MS, attributes);
    sluice.send(event.replace('\'', '"').getBytes(UTF_8), new RecordHeaders());
  }

  @ParameterizedTest
  @ValueSource(strings = {"priority", "fair"})
  void anAttributeOfTheOrderOccursOnce(String order) {
    List<String> fair = List.of("sluice.queue.fair=attributes.kind");
    try (Harness sluice = harness(order.equals("fair") ? fair : PRIORITY)) {
      send(sluice, "'kind':'otp','kind':'news'");
      send(sluice, "'other':'a','other':'b'");

      assertThat(sluice.deadLetters())
          .singleElement()
          .satisfies(
              letter ->
                  assertThat(letter.header("sluice-error"))
                      .isEqualTo("attributes.kind occurs twice in one object"));
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  /** Such a text is compared and hashed, but is no part of a key. */
  @Test
  void halfOfASurrogatePairIsAClassLikeOthers() {
    try (Harness sluice = harness(PRIORITY)) {
      send(sluice, "'kind':'\\ud800'");

      assertThat(sluice.deadLetters()).isEmpty();
      assertThat(sluice.allowed()).hasSize(1);
    }
  }
}
