package io.sluice.spring.metering;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.method.Ask;
import io.sluice.spring.method.Fallback;
import io.sluice.spring.method.MethodLimit;
import io.sluice.spring.settings.ConfiguredLimits;
import io.sluice.topology.event.Field;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitsInForce;
import io.sluice.topology.revision.Scope;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** What a caller who waits is told of revisions, at instants that the test chooses. */
class CallMeterTest {
  private static final long NOON_MS = 1_800_000_000_000L;

  private final ConfiguredLimits configured = configured();
  private final CallMeter meter =
      new CallMeter(
          request -> Optional.empty(), this::inForce, () -> Instant.ofEpochMilli(this.nowMs));
  private LimitsInForce inForce = configured.written();
  private long nowMs = NOON_MS;
  private int revisions;

  private static ConfiguredLimits configured() {
    StandardEnvironment environment = new StandardEnvironment();
    Map<String, Object> settings =
        Map.of(
            "sluice.limit.reply.quota", "1/1h",
            "sluice.limit.mail.quota", "1/1h",
            "sluice.limit.page.quota", "5/1s",
            "sluice.limit.page.algorithm", "sliding-window-log",
            "sluice.limit.page.key", "attributes.tenant,attributes.url");
    environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
    return ConfiguredLimits.of(environment);
  }

  private LimitsInForce inForce() {
    return inForce;
  }

  private BooleanSupplier changes(String limit, String user) {
    return meter.changes(call(limit, user));
  }

  private boolean admits(String tenant, String url) {
    return meter.meter(call("page", tenant, url), 1).admitted();
  }

  /** A call of a method with this limit. */
  private List<Ask> call(String limit, String... key) {
    Limit written = configured.limits().get(limit);
    MethodLimit ofMethod = new MethodLimit(limit, written, null, "", Fallback.NONE);
    return List.of(ofMethod.ask(List.of(key)));
  }

  private void revise(String limit, Scope scope, long atMs, String setting, String value) {
    LimitRevision.Settings set = new LimitRevision.Settings(Map.of(setting, value), Set.of());
    inForce =
        inForce.with(
            new LimitRevision(
                "r" + ++revisions, limit, scope, set, atMs, LimitRevision.FOR_GOOD, "", ""));
  }

  private static Scope user(String user) {
    return Scope.of(Map.of(Field.parse("userId"), user));
  }

  @Test
  void everyRevisionOfWhatACallIsMeteredByIsToldFromItsInstantOn() {
    for (Scope scope : List.of(Scope.WHOLE, user("ada"))) {
      for (String setting : List.of("quota=2/1h", "reset=true", "enabled=false", "verdict=allow")) {
        String[] set = setting.split("=");
        if (set[0].equals("enabled") && !scope.isWhole()) continue;
        inForce = configured.written();
        nowMs = NOON_MS;
        BooleanSupplier changes = changes("reply", "ada");
        revise("reply", scope, NOON_MS + 10, set[0], set[1]);
        nowMs = NOON_MS + 9;
        BooleanSupplier planned = changes("reply", "ada");
        assertThat(planned.getAsBoolean()).as(setting).isFalse();
        nowMs = NOON_MS + 10;
        assertThat(changes.getAsBoolean()).as(setting).isTrue();
        assertThat(planned.getAsBoolean()).as(setting).isTrue();
        BooleanSupplier after = changes("reply", "ada");
        nowMs = NOON_MS + 1_000_000;
        assertThat(after.getAsBoolean()).as(setting).isFalse();
      }
    }
  }

  /** Whoever were told of all would ask again, and be counted, whenever anything is revised. */
  @Test
  void revisionsOfOthersAreNotTold() {
    revise("reply", Scope.WHOLE, NOON_MS - 5, "quota", "9/1h");
    BooleanSupplier changes = changes("reply", "ada");
    revise("reply", user("eve"), NOON_MS, "quota", "2/1h");
    revise("reply", user("eve"), NOON_MS, "verdict", "reject");
    revise("mail", Scope.WHOLE, NOON_MS, "quota", "2/1h");
    revise("*", user("eve"), NOON_MS, "verdict", "reject");
    nowMs = NOON_MS + 10;
    assertThat(changes.getAsBoolean()).isFalse();
    revise("*", user("ada"), NOON_MS, "verdict", "reject");
    assertThat(changes.getAsBoolean()).isTrue();
  }

  /** By the rule of the others, who have 5 in a second, tenant x would be forgotten after one. */
  @Test
  void whoHasALongKeyIsKeptInMemoryByWhatARevisionSaysOfThem() {
    revise("page", Scope.of(Map.of(Field.parse("attributes.tenant"), "x")), 0, "quota", "1/1h");
    for (int length : List.of(100, 600, 6_000)) {
      String url = "/".repeat(length);
      assertThat(admits("x", url)).isTrue();
      for (int i = 0; i < 10; i++) {
        nowMs += 2_000;
        admits("y", url + i);
      }
      assertThat(admits("x", url)).as("a URL of %s characters", length).isFalse();
    }
  }
}
