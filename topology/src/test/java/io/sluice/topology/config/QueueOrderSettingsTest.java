package io.sluice.topology.config;

import static io.sluice.topology.config.ConfigText.config;
import static io.sluice.topology.config.ConfigText.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Field;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.testing.SettingLines;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the settings of classes, aging and fair shares of queues, and of their warnings. */
class QueueOrderSettingsTest {
  private static final String QUEUE = "sluice.limit.reply.exceeded=queue";
  private static final String PRIORITY = "sluice.queue.priority=attributes.kind";
  private static final String PRIORITIES = "sluice.queue.priorities=otp, transactional,*,marketing";
  private static final String FAIR = "sluice.queue.fair=attributes.tenant";

  private static QueueOrder order(String... lines) {
    return config(SettingLines.with(new String[] {QUEUE}, lines)).queueOrder();
  }

  private static List<String> warnings(String... lines) {
    return ConfigReport.warnings(config(lines));
  }

  @Test
  void withoutSettingsEventsLeaveByArrival() {
    QueueOrder order = order();

    assertThat(order.classes()).isEqualTo(QueueOrder.ARRIVAL.classes());
    assertThat(order.agingMs()).isEqualTo(QueueOrder.ARRIVAL.agingMs());
    assertThat(order.isFair()).isFalse();
  }

  @Test
  void allSettingsAreRead() {
    QueueOrder order =
        order(
            PRIORITY,
            PRIORITIES,
            "sluice.queue.aging=90s",
            "sluice.queue.fair=userId",
            "sluice.queue.weight.acme=3",
            "sluice.queue.weight.Big.Corp-1=1000000");

    assertThat(order.priority()).contains(Field.parse("attributes.kind"));
    assertThat(order.classes()).containsExactly("otp", "transactional", "*", "marketing");
    assertThat(order.agingMs()).isEqualTo(90_000);
    assertThat(order.fair()).contains(Field.USER_ID);
    assertThat(order.weights()).isEqualTo(Map.of("acme", 3, "Big.Corp-1", 1_000_000));
  }

  @Test
  void theOrderIsThatOfASimulationToo() {
    SluiceConfig config = config(QUEUE, PRIORITY, PRIORITIES, FAIR);

    assertThat(config.simulated().queueOrder()).isSameAs(config.queueOrder());
  }

  @ParameterizedTest
  @CsvSource({"0,0", "0s,0", "1ms,1", "PT1M,60000", "2d,172800000"})
  void agingIsAPeriodOrNever(String text, long ms) {
    assertThat(order(PRIORITY, PRIORITIES, "sluice.queue.aging=" + text).agingMs()).isEqualTo(ms);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.0001S", "4000d", "-1s", "often", "10"})
  void otherAgingIsAMistake(String text) {
    assertThat(mistakes(QUEUE, PRIORITY, PRIORITIES, "sluice.queue.aging=" + text))
        .singleElement()
        .asString()
        .isEqualTo(
            "sluice.queue.aging=" + text + ": accepted is a period, 1ms to 3660d, or 0 for never");
  }

  @Test
  void allMistakesAreReportedAtOnce() {
    assertThat(
            mistakes(
                QUEUE,
                "sluice.queue.priority=kind",
                "sluice.queue.priorities=otp,news*",
                "sluice.queue.aging=soon",
                "sluice.queue.fair=attributes.",
                "sluice.queue.weight.acme=0",
                "sluice.queue.weight.other=1000001",
                "sluice.queue.weight.third=1.5"))
        .containsExactly(
            "sluice.queue.priority=kind: a field is userId, action, target, topic or attributes.X",
            "sluice.queue.priorities=otp,news*: a class is one value, or * for all others; \\\\! and"
                + " \\\\* are the characters",
            "sluice.queue.aging=soon: accepted is a period, 1ms to 3660d, or 0 for never",
            "sluice.queue.fair=attributes.: a field is userId, action, target, topic or"
                + " attributes.X",
            "sluice.queue.weight.acme=0: a whole number, 1 to 1000000",
            "sluice.queue.weight.other=1000001: a whole number, 1 to 1000000",
            "sluice.queue.weight.third=1.5: a whole number, 1 to 1000000");
  }

  @Test
  void noSettingIsWithoutTheOneThatItDependsOn() {
    assertThat(mistakes(QUEUE, PRIORITIES, "sluice.queue.aging=1m", "sluice.queue.weight.acme=2"))
        .containsExactly(
            PRIORITIES + ": only applies with sluice.queue.priority",
            "sluice.queue.aging=1m: only applies with sluice.queue.priority",
            "sluice.queue.weight.acme=2: only applies with sluice.queue.fair");
    assertThat(mistakes(QUEUE, PRIORITY))
        .containsExactly(
            "sluice.queue.priorities: missing; the values of sluice.queue.priority, highest first,"
                + " such as urgent,*,bulk");
    assertThat(mistakes(QUEUE, PRIORITY, "sluice.queue.priorities="))
        .containsExactly(
            "sluice.queue.priorities=: a comma list of values, highest first, such as"
                + " urgent,*,bulk");
  }

  @Test
  void aClassIsListedOnce() {
    assertThat(mistakes(QUEUE, PRIORITY, "sluice.queue.priorities=otp,*,otp"))
        .containsExactly("sluice.queue.priorities=otp,*,otp: otp is listed twice");
    assertThat(mistakes(QUEUE, PRIORITY, "sluice.queue.priorities=*,otp,*"))
        .containsExactly("sluice.queue.priorities=*,otp,*: * is listed twice");
  }

  @Test
  void thereAreAtMostAHundredClasses() {
    String most = IntStream.range(0, 99).mapToObj(i -> "c" + i).collect(Collectors.joining(","));

    assertThat(order(PRIORITY, "sluice.queue.priorities=" + most).classCount()).isEqualTo(100);
    assertThat(order(PRIORITY, "sluice.queue.priorities=*," + most).classCount()).isEqualTo(100);
    assertThat(mistakes(QUEUE, PRIORITY, "sluice.queue.priorities=more," + most))
        .singleElement()
        .asString()
        .endsWith(": at most 100 classes, with * for all others, and not 101");
  }

  @Test
  void aCommaCanBePartOfAClass() {
    assertThat(order(PRIORITY, "sluice.queue.priorities=a\\,b,*").classes())
        .containsExactly("a,b", "*");
  }

  @Test
  void aTopicMustBeAnInput() {
    assertThat(
            mistakes(
                QUEUE,
                "sluice.topics.input=sms,mail",
                "sluice.queue.priority=topic",
                "sluice.queue.priorities=sms,*,post",
                "sluice.queue.fair=topic",
                "sluice.queue.weight.mail=2",
                "sluice.queue.weight.post=2"))
        .containsExactly(
            "sluice.queue.priorities=sms,*,post: not an input topic: post; accepted are sms, mail",
            "sluice.queue.weight.post=2: not an input topic: post; accepted are sms, mail");
  }

  @ParameterizedTest
  @CsvSource({
    "sluice.queue.prioritis, sluice.queue.priorities",
    "sluice.queue.prioriti, sluice.queue.priority",
    "sluice.queue.ageing, sluice.queue.aging",
    "sluice.queue.fare, sluice.queue.fair",
    "sluice.queue.wieght.acme, sluice.queue.weight.acme",
    "sluice.queues.weight.a.b, sluice.queue.weight.a.b",
  })
  void misspelledKeysAreAnsweredWithTheNearest(String key, String meant) {
    assertThat(mistakes(QUEUE, key + "=x"))
        .containsExactly(key + ": unknown; did you mean " + meant + "?");
  }

  @Test
  void aWeightIsOfATenant() {
    assertThat(mistakes(QUEUE, FAIR, "sluice.queue.weight.=2"))
        .singleElement()
        .asString()
        .startsWith("sluice.queue.weight.: unknown; ");
  }

  @Test
  void sharesOnEachPartitionAreWarnedOf() {
    String[] lines = {
      QUEUE,
      FAIR,
      "sluice.limits=reply,vendor,own",
      "sluice.redis.uri=redis://localhost",
      "sluice.limit.vendor.backend=redis",
      "sluice.limit.vendor.key=attributes.vendor,action",
      "sluice.limit.vendor.quota=20/1s",
      "sluice.limit.vendor.exceeded=queue",
      "sluice.limit.own.quota=20/1s",
      "sluice.limit.own.key=userId,action",
      "sluice.limit.own.exceeded=queue",
      "sluice.limit.vendor.key.missing=skip"
    };
    String warning =
        "sluice.limit.vendor.key=attributes.vendor,action: events are on partitions by their"
            + " userId, which is not in this key, so the events of one key may be on several"
            + " partitions, and sluice.queue.fair holds on each partition, but not over all of"
            + " them";

    assertThat(warnings(lines)).containsExactly(warning);
    for (String other :
        List.of(
            "sluice.limit.vendor.key=attributes.vendor,userId",
            "sluice.limit.vendor.exceeded=reject",
            "sluice.limit.vendor.mode=shadow")) {
      assertThat(warnings(SettingLines.with(lines, other)))
          .as(other)
          .noneMatch(line -> line.contains("sluice.queue.fair"));
    }
    assertThat(
            warnings(
                SettingLines.with(lines, PRIORITY, PRIORITIES, FAIR.replace("fair", "priority"))))
        .containsExactly(warning);
  }

  @Test
  void anOrderWithoutAQueueIsWarnedOf() {
    assertThat(warnings(PRIORITY, PRIORITIES, FAIR, "sluice.queue.weight.acme=2"))
        .containsExactly(
            "sluice.queue.fair, sluice.queue.priorities, sluice.queue.priority,"
                + " sluice.queue.weight.acme: no limit has exceeded=queue, so no event waits in"
                + " line unless a revision sets it");
    assertThat(warnings(FAIR, "sluice.limits.live=false"))
        .containsExactly(
            "sluice.queue.fair: no limit has exceeded=queue, so no event waits in line");
    assertThat(warnings(QUEUE, PRIORITY, PRIORITIES, FAIR)).isEmpty();
  }

  @Test
  void fieldsThatNoEventHasAreWarnedOf() {
    assertThat(
            warnings(
                QUEUE,
                PRIORITY,
                PRIORITIES,
                FAIR,
                "sluice.event.attributes=",
                "sluice.event.attribute.kind=type"))
        .containsExactly(
            "sluice.queue.fair=attributes.tenant: no event has attributes.tenant, since no selector"
                + " gives it, so all are of one tenant");
    assertThat(warnings(QUEUE, PRIORITY, PRIORITIES, "sluice.event.attributes="))
        .containsExactly(
            "sluice.queue.priority=attributes.kind: no event has attributes.kind, since no selector"
                + " gives it, so all are in one class");
  }

  @Test
  void theSummaryTellsTheOrder() {
    assertThat(ConfigReport.summary(config(QUEUE, PRIORITY, PRIORITIES, FAIR)))
        .contains(
            "in line         otp, transactional, *, marketing by attributes.kind, a class higher"
                + " after each 10 min; fair by attributes.tenant\n");
    assertThat(ConfigReport.summary(config(QUEUE, PRIORITY, PRIORITIES, "sluice.queue.aging=0")))
        .contains("marketing by attributes.kind, never in a higher class\n");
    assertThat(ConfigReport.summary(config(QUEUE))).doesNotContain("in line   ");
  }
}
