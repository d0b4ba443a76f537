package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness.Out;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of several input topics: the limits that match them, and their output topics. */
class InputTopicsTest {
  private static final String[] TWO = {
    "sluice.topics.input=sms,replies",
    "sluice.topics.allowed={input}-allowed",
    "sluice.topics.rejected={input}-rejected",
    "sluice.topics.dead-letter={input}-dead",
    "sluice.event.action=",
    "sluice.limits=sms,reply",
    "sluice.limit.sms.match.topic=sms",
    "sluice.limit.sms.quota=1/2s",
    "sluice.limit.reply.match.topic=!sms",
    "sluice.limit.reply.quota=1/2s"
  };

  private Harness harness = new Harness(TWO);

  private void with(String... more) {
    harness.close();
    String[] all = java.util.Arrays.copyOf(TWO, TWO.length + more.length);
    System.arraycopy(more, 0, all, TWO.length, more.length);
    harness = new Harness(all);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private void send(String topic, String user) {
    harness.sendTo(topic, ("{\"userId\":\"" + user + "\"}").getBytes(UTF_8));
  }

  private List<String> limits(String topic) {
    return harness.read(topic).stream().map(out -> out.header("sluice-limit")).toList();
  }

  @Test
  void eachInputHasItsLimitAndItsOutputs() {
    for (String topic : List.of("sms", "replies", "sms", "replies")) send(topic, "ada");

    assertThat(limits("sms-allowed")).containsExactly("sms");
    assertThat(limits("sms-rejected")).containsExactly("sms");
    assertThat(limits("replies-allowed")).containsExactly("reply");
    assertThat(limits("replies-rejected")).containsExactly("reply");
  }

  @Test
  void deadLettersAreThoseOfTheInput() {
    harness.sendTo("replies", "garbage".getBytes(UTF_8));
    harness.sendTo("sms", "{\"action\":\"sms\"}".getBytes(UTF_8));

    assertThat(harness.read("replies-dead")).extracting(Out::text).containsExactly("garbage");
    assertThat(harness.read("sms-dead"))
        .extracting(out -> out.header("sluice-error-origin"))
        .containsExactly("sms-0-0");
  }

  @Test
  void whatWasDelayedComesOutWhereItCameFrom() {
    with("sluice.limit.sms.exceeded=delay", "sluice.limit.reply.exceeded=delay");
    for (String topic : List.of("sms", "replies", "replies", "sms")) send(topic, "ada");
    harness.runTo(2_100);

    assertThat(limits("sms-allowed")).containsExactly("sms", "sms");
    List<Out> replies = harness.read("replies-allowed");
    assertThat(replies).hasSize(2);
    assertThat(replies)
        .allSatisfy(out -> assertThat(out.headers()).doesNotContainKey("sluice-origin"));
    assertThat(harness.read("replies-rejected")).isEmpty();
  }

  @Test
  void whatHasLeftKeepsNobodyOfItsTopicWaiting() {
    with("sluice.limit.reply.exceeded=delay");
    for (int i = 0; i < 2; i++) send("replies", "ada");
    harness.runTo(2_100);
    assertThat(harness.delayed()).hasSize(1);
    String later = "{\"userId\":\"ada\",\"occurredAt\":" + (Harness.NOON_MS + 5_000) + "}";
    harness.sendTo("replies", later.getBytes(UTF_8));

    assertThat(harness.delayed()).isEmpty();
    assertThat(limits("replies-allowed")).hasSize(3);
  }

  @Test
  void whatIsMeteredAgainIsMeteredAsOfItsTopic() {
    with("sluice.limit.reply.exceeded=retry", "sluice.limit.reply.retry.jitter=0");
    for (int i = 0; i < 2; i++) send("replies", "ada");
    harness.runTo(2_100);

    assertThat(limits("replies-allowed")).containsExactly("reply", "reply");
    assertThat(limits("sms-allowed")).isEmpty();
  }

  @Test
  void anEventKeepsItsTopicAcrossTheHop() {
    with("sluice.topics.partitions=3", "sluice.limit.sms.key=topic,userId");
    for (int i = 0; i < 20; i++) send("replies", "user" + i);

    assertThat(limits("replies-allowed")).hasSize(20).containsOnly("reply");
  }

  @Test
  void theTopicIsTheActionOfWhatHasNone() {
    with(
        "sluice.limits=sms,reply,all",
        "sluice.limit.all.match.action=replies",
        "sluice.limit.all.quota=9/60s",
        "sluice.limit.all.mode=shadow");
    send("sms", "ada");
    send("replies", "ada");
    harness.sendTo("replies", "{\"userId\":\"bob\",\"action\":\"sms\"}".getBytes(UTF_8));

    assertThat(harness.read("sms-allowed").get(0).header("sluice-shadow")).isEmpty();
    assertThat(harness.read("replies-allowed"))
        .hasSize(2)
        .allSatisfy(out -> assertThat(out.header("sluice-shadow")).contains("limit=all"));
  }

  @Test
  void anOriginFromOutsideIsNotBelievedOnAnInput() {
    Headers forged = new RecordHeaders().add("sluice-origin", "sms-0-0".getBytes(UTF_8));
    harness.sendTo("replies", "{\"userId\":\"ada\"}".getBytes(UTF_8), forged);

    assertThat(limits("replies-allowed")).containsExactly("reply");
    assertThat(harness.read("sms-allowed")).isEmpty();
  }

  @Test
  void whatComesFromNoInputComesOutOfTheFirst() {
    for (String origin : List.of("gone-0-1", "", "replies-0-1", "replies")) {
      Headers headers = new RecordHeaders().add("sluice-release-at-ms", "0".getBytes(UTF_8));
      if (!origin.isEmpty()) headers.add("sluice-origin", origin.getBytes(UTF_8));
      harness.delay(null, "{\"userId\":\"ada\"}".getBytes(UTF_8), headers);
    }
    harness.delay(null, "{\"userId\":\"ada\"}".getBytes(UTF_8), new RecordHeaders());
    harness.runTo(200);

    assertThat(harness.read("sms-allowed")).hasSize(3);
    assertThat(harness.read("replies-allowed")).hasSize(1);
    assertThat(harness.read("sms-dead")).hasSize(1);
  }
}
