package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness.Out;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of events that lack the field by which a limit counts, through the whole topology. */
class MissingKeysTest {
  private static final String[] BY_ADDRESS = {
    "sluice.limits=ip",
    "sluice.limit.ip.key=attributes.ip",
    "sluice.limit.ip.quota=2/60s",
    "sluice.limit.ip.algorithm=sliding-window-log"
  };

  private static Harness byAddress(String... more) {
    List<String> all = new ArrayList<>(List.of(BY_ADDRESS));
    all.addAll(List.of(more));
    return new Harness(all.toArray(String[]::new));
  }

  private static void send(Harness sluice, String user, String address, long ms) {
    sluice.send(user, "post", ms, "\"attributes\":{\"ip\":\"" + address + "\"}");
  }

  private static double counted(Harness sluice) {
    return sluice.driver.metrics().entrySet().stream()
        .filter(each -> each.getKey().name().equals("key-missing-total"))
        .mapToDouble(each -> (Double) each.getValue().metricValue())
        .sum();
  }

  @Test
  void usersWithoutTheFieldDoNotThrottleEachOther() {
    try (Harness sluice = byAddress()) {
      send(sluice, "u0", "192.0.2.1", 0);
      for (int i = 1; i <= 5; i++) sluice.send("u" + i, "post", i);
      send(sluice, "u6", "", 6);
      send(sluice, "u7", "192.0.2.1", 7);
      send(sluice, "u8", "192.0.2.1", 8);

      assertThat(sluice.rejected())
          .singleElement()
          .matches(out -> out.header("sluice-reason").equals("over-limit"));
      assertThat(sluice.allowed())
          .extracting(out -> out.header("sluice-limit"))
          .containsExactly("ip", "", "", "", "", "", "", "ip");
      assertThat(counted(sluice)).isEqualTo(6);
    }
  }

  @Test
  void byChoiceTheyShareACount() {
    try (Harness sluice = byAddress("sluice.limit.ip.key.missing=share")) {
      for (int i = 0; i < 4; i++) sluice.send("u" + i, "post", i);

      assertThat(sluice.allowed())
          .extracting(out -> out.header("sluice-remaining"))
          .containsExactly("1", "0");
      assertThat(sluice.rejected()).hasSize(2);
      assertThat(counted(sluice)).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"each", "one", "none"})
  void byChoiceTheyAreRejectedAndNothingIsCharged(String headers) {
    try (Harness sluice =
        byAddress(
            "sluice.limit.ip.key.missing=reject",
            "sluice.limits=ip,all",
            "sluice.limit.ip.key=userId,attributes.ip",
            "sluice.limit.all.quota=1/60s",
            "sluice.headers=" + headers)) {
      sluice.send("ann", "post", 0);
      send(sluice, "ann", "192.0.2.1", 1);

      Out rejected = sluice.rejected().get(0);
      if (headers.equals("each")) {
        assertThat(rejected.headers())
            .containsEntry("sluice-verdict", "rejected")
            .containsEntry("sluice-reason", "missing-key")
            .containsEntry("sluice-limit", "ip")
            .containsEntry("sluice-attempt", "1")
            .hasSize(4);
      } else {
        assertThat(rejected.header("sluice-verdict"))
            .isEqualTo("rejected;limit=ip;reason=missing-key");
      }
      assertThat(sluice.allowed()).hasSize(1);
    }
  }

  @Test
  void aLimitInShadowModeOnlyReportsIt() {
    try (Harness sluice =
        byAddress("sluice.limit.ip.key.missing=reject", "sluice.limit.ip.mode=shadow")) {
      for (int i = 0; i < 4; i++) sluice.send("u" + i, "post", i);

      assertThat(sluice.allowed())
          .extracting(out -> out.header("sluice-shadow"))
          .hasSize(4)
          .containsOnly("limit=ip;verdict=rejected;reason=missing-key");
      assertThat(counted(sluice)).isEqualTo(4);
    }
  }

  /** An event that is delayed, or metered again, is one event. */
  @ParameterizedTest
  @ValueSource(strings = {"delay", "retry"})
  void anEventIsCountedOnce(String exceeded) {
    try (Harness sluice =
        byAddress(
            "sluice.limits=ip,slow",
            "sluice.limit.ip.key=userId,attributes.ip",
            "sluice.limit.slow.quota=1/1s",
            "sluice.limit.slow.exceeded=" + exceeded,
            "sluice.delay.tick=100")) {
      for (int i = 0; i < 2; i++) sluice.send("ann", "post", 0);
      sluice.runTo(3_000);

      assertThat(sluice.allowed()).hasSize(2);
      assertThat(counted(sluice)).isEqualTo(2);
    }
  }

  /** The missing value has no home partition unless events share a count. */
  @ParameterizedTest
  @CsvSource({"skip,0", "reject,0", "share,2"})
  void eventsHopOnlyToBeCounted(String missing, int hops) {
    try (Harness sluice =
        byAddress("sluice.topics.partitions=2", "sluice.limit.ip.key.missing=" + missing)) {
      IntStream.range(0, 2).forEach(i -> sluice.send("u" + i, "post", i));

      assertThat(sluice.read("test-home-repartition")).hasSize(hops);
      assertThat(sluice.allowed()).hasSize(missing.equals("reject") ? 0 : 2);
    }
  }

  @Test
  void unmatchedIsWhatIsLeftWithoutTheLimit() {
    try (Harness sluice = byAddress("sluice.unmatched=reject")) {
      sluice.send("ann", "post", 0);

      assertThat(sluice.rejected())
          .singleElement()
          .matches(out -> out.header("sluice-reason").equals("unmatched"));
    }
  }

  @Test
  void aRevisionTakesEffectInTheEventsTime() {
    try (Harness sluice = byAddress()) {
      sluice.revise("r", 1_000, "'limit':'ip','set':{'key.missing':'reject'}");
      for (long ms : List.of(0L, 2_000L)) sluice.send("ann", "post", ms);

      assertThat(sluice.allowed()).hasSize(1);
      assertThat(sluice.rejected())
          .singleElement()
          .matches(out -> out.header("sluice-reason").equals("missing-key"));
    }
  }
}
