package io.sluice.topology.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness;
import io.sluice.topology.Harness.Out;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of the end of a pause in the real topology, whose ticks the test moves. */
class ResumedQueueTest {
  private static final long SOON_MS = 1_010;

  private final Harness harness =
      new Harness(
          "sluice.limits=vendor,phone",
          "sluice.limit.vendor.key=target",
          "sluice.limit.vendor.quota=1/10s",
          "sluice.limit.vendor.exceeded=queue",
          "sluice.limit.phone.key=target,userId",
          "sluice.limit.phone.quota=10/1s",
          "sluice.limit.phone.exceeded=queue");

  @AfterEach
  void close() {
    harness.close();
  }

  private void pause(String until) {
    harness.revise("p", 0, "'limit':'vendor'," + until + "'set':{'verdict':'pause'}");
  }

  private void send(String user, long afterNoonMs) {
    harness.send(user, "sms", afterNoonMs, "\"target\":\"v\"");
  }

  private List<String> allowed() {
    return harness.allowed().stream()
        .map(Out::text)
        .map(json -> json.replaceAll(".*\"userId\":\"([a-z]*)\".*", "$1"))
        .toList();
  }

  private static String until(long afterNoonMs) {
    return "'until':" + (Harness.NOON_MS + afterNoonMs) + ",";
  }

  @Test
  void anEventThatArrivesBetweenTheEndAndTheNextTickDoesNotOvertake() {
    pause(until(SOON_MS));
    send("ada", 0);
    harness.runTo(1_000);
    harness.advanceWall(Duration.ofMillis(15));
    send("bob", 1_015);
    assertThat(allowed()).isEmpty();

    harness.runTo(2_000);
    assertThat(allowed()).containsExactly("ada");
    harness.runTo(12_000);
    assertThat(allowed()).containsExactly("bob");
  }

  @Test
  void anEventThatArrivesJustAfterAPauseIsTakenBackDoesNotOvertake() {
    pause("");
    send("ada", 0);
    harness.runTo(1_000);
    harness.revise("p", 0, "'limit':'vendor','set':{'quota':'1/10s'}");
    send("bob", 1_000);
    assertThat(allowed()).isEmpty();

    harness.runTo(2_000);
    assertThat(allowed()).containsExactly("ada");
  }

  @Test
  void redisIsNotAskedAboutAPausedLimit() {
    AtomicInteger asked = new AtomicInteger();
    try (Harness shared =
        new Harness(
            () -> {
              asked.incrementAndGet();
              throw new IllegalStateException("asked");
            },
            "sluice.redis.uri=redis://localhost:1",
            "sluice.limits=vendor",
            "sluice.limit.vendor.key=",
            "sluice.limit.vendor.backend=redis",
            "sluice.limit.vendor.quota=1/10s",
            "sluice.limit.vendor.exceeded=queue")) {
      shared.revise("p", 0, "'limit':'vendor','set':{'verdict':'pause'}");
      shared.send("ada", "sms", 0);
      shared.runTo(5_000);
      assertThat(shared.delayed())
          .extracting(each -> each.header("sluice-reason"))
          .containsExactly("paused");
      assertThat(asked).hasValue(0);
    }
  }

  @Test
  void eventsLeaveWithinATickAfterTheyAreResumed() {
    pause("");
    send("ada", 0);
    send("bob", 0);
    harness.runTo(60_000);
    assertThat(allowed()).isEmpty();
    assertThat(harness.delayed())
        .extracting(each -> each.header("sluice-reason"))
        .containsExactly("paused", "paused");

    pause(until(62_000));
    harness.runTo(61_999);
    assertThat(allowed()).isEmpty();
    harness.runTo(62_100);
    assertThat(allowed()).containsExactly("ada");
    harness.runTo(73_000);
    assertThat(allowed()).containsExactly("bob");
  }
}
