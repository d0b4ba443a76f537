package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.topology.Harness.Out;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of limits that allow each key once in a period. */
class BloomLimitsTest {
  private static final long DAY_MS = 86_400_000;

  private static final List<String> ONCE_A_MONTH =
      List.of(
          "sluice.time.max.ahead=40d",
          "sluice.time.lateness=80d",
          "sluice.limits=offer",
          "sluice.limit.offer.match.action=offer",
          "sluice.limit.offer.key=userId,target",
          "sluice.limit.offer.quota=1/30d",
          "sluice.limit.offer.algorithm=bloom",
          "sluice.limit.offer.bloom.capacity=10_000");

  private Harness harness = with();

  private static Harness with(String... more) {
    List<String> settings = new ArrayList<>(ONCE_A_MONTH);
    settings.addAll(List.of(more));
    return new Harness(settings.toArray(String[]::new));
  }

  private void restartWith(String... more) {
    harness.close();
    harness = with(more);
  }

  @AfterEach
  void close() {
    harness.close();
  }

  private void offer(String user, String target, long... afterNoonMs) {
    for (long at : afterNoonMs) harness.send(user, "offer", at, "\"target\":\"" + target + "\"");
  }

  private List<String> reasons() {
    return harness.rejected().stream().map(out -> out.header("sluice-reason")).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void aPairIsAllowedOnceInItsPeriod(String store) {
    restartWith("sluice.state.store=" + store);
    offer("ada", "spring", 0, 1, DAY_MS, 30 * DAY_MS, 38 * DAY_MS);
    offer("ada", "summer", 38 * DAY_MS);
    offer("bob", "spring", 38 * DAY_MS);

    assertThat(harness.allowed()).hasSize(4);
    List<Out> rejected = harness.rejected();
    assertThat(rejected).hasSize(3);
    Map<String, String> headers = rejected.get(0).headers();
    assertThat(headers)
        .containsEntry("sluice-verdict", "rejected")
        .containsEntry("sluice-limit", "offer")
        .containsEntry("sluice-reason", "duplicate")
        .containsEntry("sluice-remaining", "0")
        .doesNotContainKey("sluice-retry-after-ms");
    assertThat(Long.parseLong(headers.get("sluice-reset-after-ms")))
        .isBetween(30 * DAY_MS, 30 * DAY_MS + DAY_MS * 15 / 2);
  }

  @Test
  void thePairIsOfTheKeysFieldsAndNotOfTheirText() {
    offer("a|b", "c", 0);
    offer("a", "b|c", 0);
    assertThat(harness.rejected()).isEmpty();
  }

  @Test
  void whatAnotherLimitRefusesIsNotKnown() {
    restartWith("sluice.limits=offer,all", "sluice.limit.all.quota=1/1h");
    offer("ada", "spring", 0);
    offer("ada", "summer", 1, 3_600_001);
    offer("ada", "spring", 7_200_002);

    assertThat(reasons()).containsExactly("over-limit", "duplicate");
    assertThat(harness.allowed()).hasSize(2);
  }

  /**
   * A retry is metered at its due time, which in a backlog is far ahead of the following events.
   */
  @Test
  void aRetryAheadOfItsPartitionMakesNothingForgotten() {
    restartWith(
        "sluice.time.max.ahead=1m",
        "sluice.time.lateness=2m",
        "sluice.limit.offer.quota=1/10s",
        "sluice.limits=offer,later",
        "sluice.limit.later.match.userId=bob",
        "sluice.limit.later.quota=1/1h",
        "sluice.limit.later.exceeded=retry");
    offer("ada", "spring", 0);
    offer("bob", "spring", 0);
    offer("bob", "summer", 0);
    harness.runTo(3 * 3_600_000);
    assertThat(harness.allowed()).hasSize(3);

    offer("ada", "spring", 5_000);
    assertThat(reasons()).containsExactly("duplicate");
  }

  @Test
  void aShadowSaysWhatItWouldRefuse() {
    restartWith("sluice.limit.offer.mode=shadow");
    offer("ada", "spring", 0, 0);

    assertThat(harness.allowed().get(1).header("sluice-shadow"))
        .startsWith("limit=offer;verdict=rejected;reason=duplicate;remaining=0;reset-after-ms=")
        .doesNotContain("retry-after");
  }

  @Test
  void whatIsRepeatedByAnotherRecordIsRefusedForItsKey() {
    restartWith("sluice.duplicates=repeat");
    byte[] event =
        ("{\"eventId\":\"e\",\"userId\":\"ada\",\"action\":\"offer\",\"target\":\"t\",\"occurredAt\":"
                + Harness.NOON_MS
                + "}")
            .getBytes(java.nio.charset.StandardCharsets.UTF_8);
    harness.send(event, new RecordHeaders());
    harness.send(event, new RecordHeaders());

    assertThat(reasons()).containsExactly("duplicate");
  }

  @Test
  void someMayBeAllowedOrRejectedAndNothingElse() {
    harness.revise("vip", 0, "'limit':'offer','for':{'userId':'eve'},'set':{'verdict':'allow'}");
    offer("eve", "spring", 1, 2);
    assertThat(harness.allowed()).hasSize(2);
    for (String set : List.of("'quota':'1/1d'", "'reset':'true'", "'mode':'shadow'")) {
      assertThatThrownBy(
              () ->
                  harness.revise(
                      "no" + set.length(),
                      3,
                      "'limit':'offer','for':{'userId':'bob'},'set':{" + set + "}"))
          .hasMessageContaining("with algorithm=bloom accepted is verdict");
    }
  }

  @Test
  void theWholeLimitMayHaveAnotherPeriodAndBeginAnew() {
    offer("ada", "spring", 0);
    harness.revise("short", 1, "'limit':'offer','set':{'quota':'1/1d'}");
    offer("ada", "spring", 2, 10 * DAY_MS);
    assertThat(reasons()).containsExactly("duplicate");
    harness.revise("anew", 10 * DAY_MS + 1, "'limit':'offer','set':{'reset':'true'}");
    offer("ada", "spring", 10 * DAY_MS + 1, 10 * DAY_MS + 2);
    assertThat(reasons()).containsExactly("duplicate");
    assertThatThrownBy(
            () -> harness.revise("more", 5, "'limit':'offer','set':{'bloom.capacity':'20000'}"))
        .hasMessageContaining("change the configuration file");
    assertThatThrownBy(() -> harness.revise("two", 5, "'limit':'offer','set':{'quota':'2/1d'}"))
        .hasMessageContaining("once");
  }

  /** The metric counts a filter generation beyond its capacity once, not each of its keys. */
  @Test
  void moreThanTheCapacityIsCountedOnce() {
    restartWith("sluice.limit.offer.bloom.capacity=40");
    assertThat(beyondCapacity()).isZero();
    for (int i = 0; i < 200; i++) offer("ada", "offer-" + i, i);

    assertThat(beyondCapacity()).isEqualTo(1);
    assertThat(harness.allowed()).hasSizeGreaterThan(198);
  }

  private double beyondCapacity() {
    return harness.driver.metrics().entrySet().stream()
        .filter(each -> each.getKey().name().equals("filters-beyond-capacity-total"))
        .mapToDouble(each -> (Double) each.getValue().metricValue())
        .sum();
  }

  @Test
  void aLimitMayBecomeAFilterForATime() {
    harness.close();
    harness = new Harness("sluice.limits=offer", "sluice.limit.offer.quota=5/1h");
    offer("ada", "spring", 0);
    harness.revise(
        "once",
        1,
        "'limit':'offer','set':{'algorithm':'bloom','quota':'1/30d','bloom.capacity':'100'}");
    harness.revise(
        "many",
        10_000,
        "'limit':'offer','set':{'algorithm':null,'quota':null,'bloom.capacity':null}");
    offer("ada", "spring", 2, 3);
    offer("ada", "spring", 10_000, 10_001);

    assertThat(harness.allowed()).hasSize(4);
    assertThat(reasons()).containsExactly("duplicate");
  }
}
