package io.sluice.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.LogLines;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InstanceDigestsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final RecordedReport report = new RecordedReport();
  private final InstanceDigests peers =
      new InstanceDigests(
          instance("me", "mine", Map.of("reply", "5", "post", "1")), nanos::get, report);
  private final LogLines lines = LogLines.of(InstanceDigests.class);

  private static InstanceRecord instance(String id, String digest, Map<String, String> limits) {
    return new InstanceRecord(id, digest, limits, 0);
  }

  @AfterEach
  void close() {
    lines.close();
  }

  @Test
  void thoseThatAreTheSameAreNotMentioned() {
    peers.wrote(instance("other", "mine", Map.of("reply", "5", "post", "1")));
    peers.wrote(instance("me", "an echo", Map.of()));
    peers.look();
    assertThat(lines.lines()).isEmpty();
    assertThat(report.differ()).isEmpty();
  }

  @Test
  void aDifferenceIsSaidOnceAndOnceWhenItIsOver() {
    peers.wrote(instance("same", "mine", Map.of("reply", "5", "post", "1")));
    for (int i = 0; i < 3; i++) {
      peers.wrote(instance("other", "another", Map.of("reply", "9", "post", "1", "sms", "2")));
      peers.look();
    }
    assertThat(report.differ()).isEqualTo("1 of 2 other instances have other limits: reply, sms");
    peers.wrote(instance("other", "mine", Map.of("reply", "5", "post", "1")));
    peers.look();
    peers.look();
    assertThat(report.differ()).isEmpty();
    assertThat(lines.lines())
        .containsExactly(
            "WARN 1 of 2 other instances have other limits in their files: "
                + "reply (here: 5; there: 9), sms (here: none; there: 2)",
            "INFO all instances have the same limits in their files again");
  }

  @Test
  void whoIsSilentForThreeMinutesIsForgotten() {
    peers.wrote(instance("other", "another", Map.of("reply", "9")));
    nanos.addAndGet(InstanceDigests.MOST_SILENCE_NANOS);
    peers.look();
    assertThat(report.differ()).contains("other limits: post, reply");
    nanos.addAndGet(1);
    peers.look();
    assertThat(report.differ()).isEmpty();
  }

  @Test
  void aDifferenceThatWordsDoNotShowIsSaidAsWell() {
    peers.wrote(instance("other", "another", Map.of("reply", "5", "post", "1")));
    peers.look();
    assertThat(lines.lines()).singleElement().asString().endsWith(": settings that are not shown");
  }

  @Test
  void ofManyDifferencesSomeAreNamed() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 500; i++) many.put("limit" + i, "1");
    peers.wrote(instance("other", "another", many));
    peers.look();
    assertThat(report.differ()).hasSizeLessThan(200).endsWith(" and 492 more");
    assertThat(lines.lines().get(0)).hasSizeLessThan(200).endsWith(" and 492 more");
  }

  @Test
  void thereIsAnEndToThoseWhoAreKnown() {
    for (int i = 0; i < 5_000; i++) peers.wrote(instance("i" + i, "another", Map.of()));
    peers.look();
    assertThat(report.differ()).contains("1000 of 1000 other instances");
  }
}
