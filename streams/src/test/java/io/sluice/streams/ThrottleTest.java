package io.sluice.streams;

import static io.sluice.streams.Driven.NOON;
import static io.sluice.streams.Driven.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Throttled streams of an application in the test driver. Values are {@code user:text}. */
class ThrottleTest {
  private static final String[] TWO_A_MINUTE = {
    "sluice.limits=order",
    "sluice.limit.order.quota=2/60s",
    "sluice.limit.order.algorithm=sliding-window-log"
  };

  private static final String[] SPACED = {
    "sluice.limits=order", "sluice.limit.order.quota=1/2s", "sluice.limit.order.exceeded=delay"
  };

  private static Action action(String key, String value) {
    return Action.of(value.substring(0, value.indexOf(':')), "order");
  }

  /** Reads {@code orders}, and writes {@code allowed}, {@code rejected} and {@code odd}. */
  private static void simple(StreamsBuilder builder, Throttle throttle) {
    throttled(builder, throttle, builder.stream("orders"), ThrottleTest::action);
  }

  private static void throttled(
      StreamsBuilder builder,
      Throttle throttle,
      KStream<String, String> stream,
      BiFunction<String, String, Action> by) {
    Throttled<String, String> orders =
        throttle.with(Serdes.String(), Serdes.String()).by(by).apply(builder, stream);
    orders.allowed().to("allowed");
    orders.rejected().to("rejected");
    orders.odd().to("odd", Produced.with(Serdes.ByteArray(), Serdes.ByteArray()));
  }

  private static Header text(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "6"})
  void whatIsOverItsLimitIsRejectedAndTheRestIsAllowed(String partitions) {
    String[] settings =
        Stream.concat(Stream.of(TWO_A_MINUTE), Stream.of("sluice.topics.partitions=" + partitions))
            .toArray(String[]::new);
    try (Driven shop = new Driven(ThrottleTest::simple, settings)) {
      for (int i = 1; i <= 3; i++) shop.send("orders", "k" + i, "ada:" + i, i);
      shop.send("orders", "k4", "bob:4", 4);
      assertThat(shop.values("allowed")).containsExactly("ada:1", "ada:2", "bob:4");
      List<TestRecord<String, String>> rejected = shop.read("rejected");
      assertThat(rejected).singleElement().extracting(TestRecord::value).isEqualTo("ada:3");
      assertThat(header(rejected.get(0), "sluice-reason")).isEqualTo("over-limit");
      assertThat(header(rejected.get(0), "sluice-retry-after-ms")).isEqualTo("59998");
      assertThat(shop.read("odd")).isEmpty();
    }
  }

  @Test
  void aRecordLeavesAsItCameWithHeadersThatExplainItsVerdict() {
    try (Driven shop = new Driven(ThrottleTest::simple, TWO_A_MINUTE)) {
      shop.send(
          "orders",
          "k",
          "ada:1",
          17,
          text("trace", "t-1"),
          text("Sluice-Verdict", "forged"),
          text("sluice-origin", "forged"));
      TestRecord<String, String> left = shop.read("allowed").get(0);
      assertThat(left.key()).isEqualTo("k");
      assertThat(left.value()).isEqualTo("ada:1");
      assertThat(left.getRecordTime()).isEqualTo(NOON.plusMillis(17));
      assertThat(Stream.of(left.headers().toArray()).map(Header::key))
          .containsExactly(
              "trace",
              "sluice-verdict",
              "sluice-limit",
              "sluice-remaining",
              "sluice-reset-after-ms",
              "sluice-attempt");
      assertThat(header(left, "sluice-verdict")).isEqualTo("allowed");
      assertThat(header(left, "sluice-remaining")).isEqualTo("1");
    }
  }

  @Test
  void aRecordIsWithoutHeadersIfNoneAreWanted() {
    String[] settings =
        Stream.concat(Stream.of(TWO_A_MINUTE), Stream.of("sluice.headers=none"))
            .toArray(String[]::new);
    try (Driven shop = new Driven(ThrottleTest::simple, settings)) {
      shop.send("orders", "k", "ada:1", 17, text("trace", "t-1"));
      assertThat(shop.read("allowed").get(0).headers().toArray())
          .containsExactly(text("trace", "t-1"));
    }
  }

  @Test
  void aDelayedRecordComesOutWhenItIsDue() {
    try (Driven shop = new Driven(ThrottleTest::simple, SPACED)) {
      shop.send("orders", "k1", "ada:1", 0);
      shop.send("orders", "k2", "ada:2", 500, text("trace", "t-2"));
      assertThat(shop.values("allowed")).containsExactly("ada:1");
      shop.advance(Duration.ofMillis(1_900));
      assertThat(shop.read("allowed")).isEmpty();
      shop.advance(Duration.ofMillis(200));
      TestRecord<String, String> left = shop.read("allowed").get(0);
      assertThat(left.key()).isEqualTo("k2");
      assertThat(left.value()).isEqualTo("ada:2");
      assertThat(left.getRecordTime()).isEqualTo(NOON.plusMillis(500));
      assertThat(header(left, "trace")).isEqualTo("t-2");
      assertThat(header(left, "sluice-verdict")).isEqualTo("allowed");
      assertThat(header(left, "sluice-release-at-ms"))
          .isEqualTo(Long.toString(NOON.plusMillis(2_000).toEpochMilli()));
      assertThat(left.headers().lastHeader("sluice-origin")).isNull();
    }
  }

  @Test
  void aRecordThatIsToTryAgainIsTheSameActionThen() {
    String[] calls = {"first"};
    try (Driven shop =
        new Driven(
            (builder, throttle) ->
                throttled(
                    builder,
                    throttle,
                    builder.stream("orders"),
                    (key, value) -> Action.of("ada", calls[0])),
            "sluice.limits=order",
            "sluice.limit.order.match.action=first",
            "sluice.limit.order.quota=1/2s",
            "sluice.limit.order.exceeded=retry")) {
      shop.send("orders", "k1", "1", 0);
      shop.send("orders", "k2", "2", 0);
      calls[0] = "another";
      shop.advance(Duration.ofSeconds(3));
      List<TestRecord<String, String>> allowed = shop.read("allowed");
      assertThat(allowed).extracting(TestRecord::value).containsExactly("1", "2");
      assertThat(header(allowed.get(1), "sluice-attempt")).isEqualTo("2");
      assertThat(header(allowed.get(1), "sluice-limit")).isEqualTo("order");
    }
  }

  @Test
  void recordsThatWaitInLineLeaveInOrder() {
    try (Driven shop =
        new Driven(
            (builder, throttle) ->
                throttled(
                    builder,
                    throttle,
                    builder.stream("orders"),
                    (key, value) -> Action.of("ada", "order")),
            "sluice.limits=order",
            "sluice.limit.order.quota=1/2s",
            "sluice.limit.order.exceeded=queue")) {
      for (String value : List.of("1", "2", "3")) shop.send("orders", "k", value, 0);
      assertThat(shop.read("allowed")).extracting(TestRecord::value).containsExactly("1");
      for (int i = 0; i < 50; i++) shop.advance(Duration.ofMillis(100));
      List<TestRecord<String, String>> allowed = shop.read("allowed");
      assertThat(allowed).extracting(TestRecord::value).containsExactly("2", "3");
      assertThat(header(allowed.get(0), "sluice-released-at-ms")).isNotEmpty();
    }
  }

  @Test
  void waitingRecordsAreCancelledByAControlRecord() {
    try (Driven shop =
        new Driven(
            ThrottleTest::simple,
            "sluice.limits=order",
            "sluice.limit.order.quota=1/1h",
            "sluice.limit.order.exceeded=queue")) {
      for (String value : List.of("ada:1", "ada:2", "bob:1", "bob:2"))
        shop.send("orders", "k", value, 0);
      Header cancel = text("sluice-control", "cancel");
      String order = "{\"id\":\"c1\",\"for\":{\"userId\":\"ada\"}}";
      shop.send("shop-throttle-delayed", null, order, 0, cancel);
      shop.send("shop-throttle-delayed", null, "{}", 0, cancel);
      shop.advance(Duration.ofMillis(200));
      TestRecord<String, String> rejected = shop.read("rejected").get(0);
      assertThat(rejected.value()).isEqualTo("ada:2");
      assertThat(header(rejected, "sluice-reason")).isEqualTo("cancelled");
      assertThat(shop.values("odd")).containsExactly("{}");
    }
  }

  @Test
  void recordsOfOneOffsetAreNotTakenForEachOther() {
    try (Driven shop =
        new Driven(
            (builder, throttle) -> {
              KStream<String, String> lines =
                  builder.<String, String>stream("baskets")
                      .flatMapValues(basket -> List.of(basket.split(",")));
              throttled(builder, throttle, lines, ThrottleTest::action);
            },
            "sluice.limits=order",
            "sluice.limit.order.quota=3/60s",
            "sluice.limit.order.algorithm=sliding-window-log")) {
      shop.send("baskets", "k", "ada:1,ada:1,ada:1,ada:1,bob:1", 0);
      assertThat(shop.values("allowed")).containsExactly("ada:1", "ada:1", "ada:1", "bob:1");
      TestRecord<String, String> rejected = shop.read("rejected").get(0);
      assertThat(header(rejected, "sluice-reason")).isEqualTo("over-limit");
    }
  }

  @Test
  void anotherRecordOfTheSameIdIsADuplicate() {
    try (Driven shop =
        new Driven(
            (builder, throttle) ->
                throttled(
                    builder,
                    throttle,
                    builder.stream("orders"),
                    (key, value) -> action(key, value).withId(key)),
            TWO_A_MINUTE)) {
      shop.send("orders", "o-1", "ada:1", 0);
      shop.send("orders", "o-1", "ada:1", 1);
      shop.send("orders", "o-2", "ada:2", 2);
      assertThat(shop.values("allowed")).containsExactly("ada:1", "ada:2");
      assertThat(header(shop.read("rejected").get(0), "sluice-reason")).isEqualTo("duplicate");
    }
  }

  @Test
  void whatIsNoActionIsOddAndStopsNothing() {
    BiFunction<String, String, Action> by =
        (key, value) ->
            switch (value) {
              case "null" -> null;
              case "throws" -> throw new IllegalStateException("no such\ncustomer");
              case "nobody" -> Action.of("", "order");
              case "cheap" -> Action.of("ada", "order").withCost(0);
              case "never" -> Action.of("ada", "order").at(Instant.MAX);
              case "early" -> Action.of("ada", "order").at(NOON.plusSeconds(3_600));
              default -> Action.of("ada", "order");
            };
    try (Driven shop =
        new Driven(
            (builder, throttle) -> throttled(builder, throttle, builder.stream("orders"), by),
            TWO_A_MINUTE)) {
      List<String> odd = List.of("null", "throws", "nobody", "cheap", "never", "early");
      for (String each : odd) shop.send("orders", "k-" + each, each, 5, text("trace", "t"));
      shop.send("orders", "k", "good", 6);
      assertThat(shop.values("allowed")).containsExactly("good");
      assertThat(shop.read("rejected")).isEmpty();
      List<TestRecord<String, String>> out = shop.read("odd");
      assertThat(out).extracting(TestRecord::value).containsExactlyElementsOf(odd);
      assertThat(out).extracting(TestRecord::key).startsWith("k-null", "k-throws");
      assertThat(out).extracting(each -> header(each, "trace")).containsOnly("t");
      assertThat(out).extracting(TestRecord::getRecordTime).containsOnly(NOON.plusMillis(5));
      assertThat(out)
          .extracting(each -> header(each, "sluice-error"))
          .containsExactly(
              "the function in by(...) returned null",
              "the function in by(...) failed: java.lang.IllegalStateException: no such customer",
              "userId is missing",
              "cost must be at least 1 (sluice.event.cost.min): 0",
              "the function in by(...) failed: java.lang.ArithmeticException: long overflow",
              "occurredAt is 3600000 ms in the future, at most 60000 is accepted");
      assertThat(header(out.get(1), "sluice-error-origin")).isEqualTo("orders-0-1");
    }
  }

  @Test
  void aRecordWithoutAKeyOrAValueStaysSo() {
    try (Driven shop =
        new Driven(
            (builder, throttle) ->
                throttled(
                    builder,
                    throttle,
                    builder.stream("orders"),
                    (key, value) -> Action.of("ada", "order")),
            SPACED)) {
      shop.send("orders", null, "at once", 0);
      shop.send("orders", null, null, 0);
      shop.send("orders", "", "", 0);
      shop.advance(Duration.ofSeconds(5));
      List<TestRecord<String, String>> out = shop.read("allowed");
      assertThat(out).extracting(TestRecord::key).containsExactly(null, null, "");
      assertThat(out).extracting(TestRecord::value).containsExactly("at once", null, "");
    }
  }

  @Test
  void aStreamIsJoinedBeforeAndAfterAsAnyOther() {
    try (Driven shop =
        new Driven(
            (builder, throttle) -> {
              var customers = builder.<String, String>table("customers");
              var addresses = builder.<String, String>table("addresses");
              KStream<String, String> named =
                  builder.<String, String>stream("orders")
                      .join(customers, (order, customer) -> customer + ":" + order);
              Throttled<String, String> orders =
                  throttle
                      .with(Serdes.String(), Serdes.String())
                      .by(ThrottleTest::action)
                      .apply(builder, named);
              orders
                  .allowed()
                  .map((key, value) -> KeyValue.pair(action(key, value).userId(), value))
                  .join(addresses, (order, address) -> order + " to " + address)
                  .to("sent");
            },
            SPACED)) {
      shop.send("customers", "c-1", "ada", 0);
      shop.send("addresses", "ada", "London", 0);
      shop.send("orders", "c-1", "tea", 10);
      shop.send("orders", "c-1", "milk", 20);
      shop.send("orders", "c-2", "nobody's", 30);
      assertThat(shop.values("sent")).containsExactly("ada:tea to London");
      shop.send("addresses", "ada", "Paris", 40);
      shop.advance(Duration.ofSeconds(3));
      assertThat(shop.values("sent")).containsExactly("ada:milk to Paris");
    }
  }

  @Test
  void severalStreamsOfAnApplicationAreCountedApart() {
    try (Driven shop =
        new Driven(
            (builder, throttle) -> {
              for (String name : List.of("orders", "returns")) {
                throttle
                    .with(Serdes.String(), Serdes.String())
                    .by(ThrottleTest::action)
                    .named(name)
                    .apply(builder, builder.stream(name))
                    .allowed()
                    .to(name + "-allowed");
              }
            },
            SPACED)) {
      for (int i = 1; i <= 2; i++) {
        shop.send("orders", "k", "ada:order " + i, 0);
        shop.send("returns", "k", "ada:return " + i, 0);
      }
      assertThat(shop.values("orders-allowed")).containsExactly("ada:order 1");
      assertThat(shop.values("returns-allowed")).containsExactly("ada:return 1");
      shop.advance(Duration.ofSeconds(3));
      assertThat(shop.values("orders-allowed")).containsExactly("ada:order 2");
      assertThat(shop.values("returns-allowed")).containsExactly("ada:return 2");
    }
  }

  @Test
  void whatComesOutOfOneMayGoIntoAnother() {
    try (Driven shop =
        new Driven(
            (builder, throttle) -> {
              var first =
                  throttle
                      .with(Serdes.String(), Serdes.String())
                      .by(ThrottleTest::action)
                      .named("first")
                      .apply(builder, builder.<String, String>stream("orders"));
              throttled(builder, throttle, first.allowed(), ThrottleTest::action);
            },
            SPACED)) {
      for (int i = 1; i <= 3; i++) shop.send("orders", "k", "ada:" + i, 0);
      for (int i = 0; i < 10; i++) shop.advance(Duration.ofSeconds(1));
      assertThat(shop.values("allowed")).containsExactly("ada:1", "ada:2", "ada:3");
    }
  }

  @Test
  void twoOfTheSameNameAreRefused() {
    assertThatThrownBy(
            () ->
                new Driven(
                    (builder, throttle) -> {
                      simple(builder, throttle);
                      simple(builder, throttle);
                    },
                    SPACED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "two throttled streams are named throttle: give each its own name, as in"
                + " by(...).named(\"orders\")");
  }

  @Test
  void whatSomebodyElseWritesOnTheTopicOfDelayedRecordsIsOdd() {
    try (Driven shop = new Driven(ThrottleTest::simple, SPACED)) {
      shop.send("shop-throttle-delayed", "k", "ada:forged", 0);
      shop.advance(Duration.ofSeconds(3));
      assertThat(shop.read("allowed")).isEmpty();
      TestRecord<String, String> odd = shop.read("odd").get(0);
      assertThat(odd.value()).isEqualTo("ada:forged");
      assertThat(header(odd, "sluice-error")).isEqualTo("written by another application");
    }
  }

  @ParameterizedTest
  @CsvSource({"skip,2,''", "share,1,over-limit", "reject,0,missing-key"})
  void aRecordWithoutTheKeyOfALimitIsTreatedAsConfigured(String missing, int most, String reason) {
    String[] settings = {
      "sluice.limits=aim",
      "sluice.limit.aim.key=target",
      "sluice.limit.aim.quota=1/60s",
      "sluice.limit.aim.key.missing=" + missing
    };
    try (Driven shop = new Driven(ThrottleTest::simple, settings)) {
      for (int i = 1; i <= 2; i++) shop.send("orders", "k" + i, "ada:" + i, i);

      assertThat(shop.values("allowed")).hasSize(most);
      assertThat(shop.read("rejected"))
          .hasSize(2 - most)
          .allMatch(out -> header(out, "sluice-reason").equals(reason));
    }
  }

  @Test
  void aLimitThatLooksAtTheInputTopicIsRefused() {
    SluiceConfig config =
        SluiceConfig.of(
            Driven.given(
                "sluice.limits=here,there,topics,user",
                "sluice.limit.topics.distinct=topic",
                "sluice.limit.topics.algorithm=sliding-window-log",
                "sluice.limit.topics.quota=3/1s",
                "sluice.limit.here.match.topic=user-actions",
                "sluice.limit.here.quota=1/1s",
                "sluice.limit.there.key=userId,topic",
                "sluice.limit.there.quota=1/1s",
                "sluice.limit.user.quota=1/1s"));
    assertThatThrownBy(() -> Throttle.of(config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "sluice.limit.here:", "sluice.limit.there:", "sluice.limit.topics:", "attributes.topic")
        .hasMessageNotContaining("sluice.limit.user");
  }

  @Test
  void queuesHaveNoOrderByTheTopic() {
    String[] user = {
      "sluice.limits=user", "sluice.limit.user.quota=1/1s", "sluice.limit.user.exceeded=queue"
    };
    String[] fair = {"sluice.queue.fair=topic"};
    String[] priority = {"sluice.queue.priority=topic", "sluice.queue.priorities=user-actions"};
    for (String[] order : List.of(fair, priority)) {
      SluiceConfig config = SluiceConfig.of(Driven.given(SettingLines.with(user, order)));
      assertThatThrownBy(() -> Throttle.of(config))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("sluice.queue.priority and fair: topic", "attributes.topic");
    }
  }

  @Test
  void whatOnlyAnApplicationWithTopicsOfItsOwnUnderstandsIsNamed() {
    SluiceConfig config =
        SluiceConfig.of(
            Driven.given(
                "sluice.topics.input=clicks",
                "sluice.topics.partitions=3",
                "sluice.event.user=who",
                "sluice.event.cost.min=0",
                "sluice.event.missing=allow",
                "sluice.tombstones=drop",
                "sluice.limits=user",
                "sluice.limit.user.quota=1/1s"));
    assertThat(Standalone.ignored(config.given()))
        .hasValue(
            "these settings have no effect on a Throttle: sluice.event.missing, sluice.event.user,"
                + " sluice.tombstones, sluice.topics.input");
  }

  @Test
  void aNameThatKafkaWouldRefuseIsRefused() {
    var step =
        Throttle.of(SluiceConfig.of(Driven.given(SPACED)))
            .with(Serdes.String(), Serdes.String())
            .by(ThrottleTest::action);
    assertThatThrownBy(() -> step.named("my orders"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("letters, digits, ., _ and -: my orders");
  }
}
