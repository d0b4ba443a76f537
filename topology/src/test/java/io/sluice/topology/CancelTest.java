package io.sluice.topology;

import static io.sluice.topology.Harness.NOON_MS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests of orders to cancel waiting events, from the record to the rejected event. */
class CancelTest {
  private static final String[] PHONE_AND_VENDOR = {
    "sluice.limits=phone,vendor",
    "sluice.limit.phone.key=userId",
    "sluice.limit.phone.quota=1/1h",
    "sluice.limit.phone.exceeded=queue",
    "sluice.limit.vendor.key=userId,action",
    "sluice.limit.vendor.quota=1/1h",
    "sluice.limit.vendor.exceeded=queue"
  };

  private static final List<String> MALFORMED =
      List.of(
          "",
          "x",
          "[]",
          "{",
          "{}",
          "{} {}",
          "{'id':'c1'}",
          "{'id':'c1','for':{}}",
          "{'id':'c1','for':[]}",
          "{'id':'c1','for':{'userId':''}}",
          "{'id':'c1','for':{'userId':7}}",
          "{'id':'c1','for':{'name':'ada'}}",
          "{'id':'c1','for':{'userId':'ada','userId':'bob'}}",
          "{'id':'','for':{'userId':'ada'}}",
          "{'id':7,'for':{'userId':'ada'}}",
          "{'id':'c1','for':{'userId':'ada'},'event':''}",
          "{'id':'c1','for':{'userId':'ada'},'before':7}",
          "{'id':'c1','for':{'userId':'ada'},'at':'now'}",
          "{'id':'c1','for':{'userId':'ada'},'at':12345678901234567890}");

  @AutoClose private final Harness harness = new Harness(PHONE_AND_VENDOR);

  private void order(String json) {
    harness.delay(null, json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), cancel());
    harness.advanceWall(Duration.ofMillis(200));
  }

  private static Headers cancel() {
    return headers("cancel");
  }

  private static Headers headers(String control) {
    return new RecordHeaders().add("sluice-control", control.getBytes(StandardCharsets.UTF_8));
  }

  private void send(String user, String... ids) {
    for (String each : ids) harness.send(user, "sms", 0, "\"eventId\":\"" + each + "\"");
  }

  /** Returns the ids of the events that were rejected because they were cancelled. */
  private List<String> cancelled() {
    return harness.rejected().stream()
        .filter(each -> each.header("sluice-reason").equals("cancelled"))
        .map(each -> each.text().replaceAll(".*\"eventId\":\"([^\"]*)\".*", "$1"))
        .toList();
  }

  private List<String> deadLetters() {
    return harness.deadLetters().stream().map(each -> each.header("sluice-error")).toList();
  }

  @Test
  void eventIsCancelledByItsId() {
    send("ada", "a0", "a1", "a2", "a3");
    send("bob", "b0", "a2");
    order("{'id':'c1','for':{'userId':'ada'},'event':'a2'}");
    List<Harness.Out> rejected = harness.rejected();
    assertThat(rejected).hasSize(1);
    assertThat(rejected.get(0).header("sluice-reason")).isEqualTo("cancelled");
    assertThat(rejected.get(0).header("sluice-limit")).isEqualTo("phone");
    assertThat(rejected.get(0).header("sluice-release-at-ms")).isEmpty();
    assertThat(rejected.get(0).text()).contains("\"eventId\":\"a2\"", "\"userId\":\"ada\"");
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void allEventsOfAKeyAreCancelledAndLaterOnesStay() {
    send("ada", "a0", "a1", "a2");
    send("bob", "b0", "b1");
    order("{'id':'c1','for':{'userId':'ada'}}");
    send("ada", "a3");
    harness.advanceWall(Duration.ofMillis(500));
    assertThat(cancelled()).containsExactly("a1", "a2");
  }

  @Test
  void othersLeaveInOrderAfterACancellation() {
    send("ada", "a0", "a1", "a2", "a3");
    order("{'id':'c1','for':{'userId':'ada'},'event':'a1'}");
    harness.runTo(3 * 3_600_000 + 1_000);
    assertThat(harness.allowed().stream().map(Harness.Out::text))
        .hasSize(3)
        .satisfiesExactly(
            first -> assertThat(first).contains("\"a0\""),
            second -> assertThat(second).contains("\"a2\""),
            third -> assertThat(third).contains("\"a3\""));
  }

  @Test
  void fieldThatIsNoKeyOfALimitIsCompared() {
    harness.send("ada", "sms", 0);
    harness.send("ada", "sms", 0, "\"eventId\":\"a1\"", "\"target\":\"x\"");
    harness.send("ada", "sms", 0, "\"eventId\":\"a2\"", "\"target\":\"y\"");
    order("{'id':'c1','for':{'target':'y'}}");
    assertThat(cancelled()).containsExactly("a2");
  }

  @Test
  void orderAboutALimitLeavesOthersInLine() {
    send("ada", "a0", "a1");
    order("{'id':'c1','for':{'userId':'ada'},'limit':'other'}");
    assertThat(cancelled()).isEmpty();
    order("{'id':'c2','for':{'userId':'ada'},'limit':'vendor'}");
    assertThat(cancelled()).containsExactly("a1");
  }

  /** With at-least-once, the record of an order may come again. */
  @Test
  void orderThatComesAgainLeavesLaterEventsInLine() {
    String order = "{'id':'c1','for':{'userId':'ada'}}";
    send("ada", "a0", "a1");
    order(order);
    send("ada", "a2");
    order(order);
    assertThat(cancelled()).containsExactly("a1");
    assertThat(deadLetters()).isEmpty();
    order("{'id':'c1','for':{'userId':'bob'}}");
    assertThat(deadLetters()).singleElement().asString().contains("another order has the same id");
  }

  @Test
  void cancelledEventIsNoDuplicateOfALaterOne() {
    send("ada", "a0", "a1");
    order("{'id':'c1','for':{'userId':'ada'}}");
    send("ada", "a1");
    assertThat(harness.rejected())
        .extracting(each -> each.header("sluice-reason"))
        .containsExactly("cancelled");
  }

  @Test
  void nothingFoundHasNoEffect() {
    send("ada", "a0", "a1");
    order("{'id':'c1','for':{'userId':'eve'}}");
    order("{'id':'c2','for':{'userId':'ada'},'event':'other'}");
    assertThat(harness.rejected()).isEmpty();
    assertThat(deadLetters()).isEmpty();
  }

  @Test
  void malformedOrdersAreDeadLetters() {
    send("ada", "a0", "a1");
    for (String each : MALFORMED) {
      order(each);
      assertThat(deadLetters()).as(each).hasSize(1);
    }
    assertThat(harness.rejected()).isEmpty();
    order("{'id':'c1','for':{'userId':'ada'}}");
    assertThat(cancelled()).containsExactly("a1");
  }

  @Test
  void unknownKindOfOrderIsADeadLetter() {
    byte[] value = "{\"id\":\"c1\",\"for\":{\"userId\":\"ada\"}}".getBytes(StandardCharsets.UTF_8);
    harness.delay(null, value, headers("pause"));
    assertThat(deadLetters()).containsExactly("sluice-control must be cancel: pause");
    assertThat(harness.deadLetters()).isEmpty();
  }

  @Test
  void tooManyOpenOrdersAreDeadLetters() {
    send("ada", "a0", "a1");
    IntStream.rangeClosed(0, 1_000)
        .mapToObj("{\"id\":\"c%d\",\"for\":{\"userId\":\"eve\"}}"::formatted)
        .forEach(each -> harness.delay(null, each.getBytes(StandardCharsets.UTF_8), cancel()));
    assertThat(deadLetters()).singleElement().asString().contains("1000 orders");
    harness.advanceWall(Duration.ofMillis(200));
    order("{'id':'again','for':{'userId':'ada'}}");
    assertThat(cancelled()).containsExactly("a1");
  }

  @Test
  void ordersAreCarriedOutAlthoughNothingWaits() {
    for (int i = 0; i < 2; i++) {
      String id = "c" + i + "-";
      IntStream.range(0, 1_000)
          .mapToObj(each -> "{\"id\":\"" + id + each + "\",\"for\":{\"userId\":\"eve\"}}")
          .forEach(each -> harness.delay(null, each.getBytes(StandardCharsets.UTF_8), cancel()));
      harness.advanceWall(Duration.ofMillis(200));
    }
    assertThat(deadLetters()).isEmpty();
  }

  /** A producer of events must not be able to give orders. */
  @Test
  void headerOnAnInputRecordIsNoOrder() {
    send("ada", "a0");
    String event = "{\"userId\":\"ada\",\"action\":\"sms\",\"eventId\":\"a1\",\"occurredAt\":";
    harness.send((event + NOON_MS + "}").getBytes(StandardCharsets.UTF_8), cancel());
    assertThat(deadLetters()).isEmpty();
    order("{'id':'c1','for':{'userId':'ada'}}");
    assertThat(cancelled()).containsExactly("a1");
  }

  @Test
  void eventWhoseLimitIsGoneIsRejectedToo() {
    Stream.of("a0", "a1").forEach(each -> send("ada", each));
    harness.revise("r1", 0, "'limit':'phone','set':{'enabled':'false'}");
    harness.revise("r2", 0, "'limit':'vendor','set':{'enabled':'false'}");
    order("{'id':'c1','for':{'userId':'ada'}}");
    assertThat(cancelled()).containsExactly("a1");
  }
}
