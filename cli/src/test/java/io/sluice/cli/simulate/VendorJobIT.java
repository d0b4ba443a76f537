package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.SimulateCli;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the whole job of a queue towards a vendor that takes 20 messages a second: marketing of two
 * tenants with the weights 3 and 1, passwords between it, and messages to one phone number.
 */
class VendorJobIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long BEGIN_MS = 1_700_000_000_000L;
  private static final int MARKETING = 800;
  private static final int PASSWORDS = 60;
  private static final long INTERVAL_MS = 50;
  private static final long TICK_MS = 100;
  private static final int PHONE = 5;

  @TempDir private Path folder;

  private final Map<String, Sent> sent = new HashMap<>();
  private final Map<String, Long> released = new HashMap<>();

  private record Sent(long atMs, String id, String to, String kind, String tenant) {
    private String json() {
      return "{\"eventId\":\"%s\",\"to\":\"%s\",\"kind\":\"%s\",\"tenant\":\"%s\",\"occurredAt\":%d}"
          .formatted(id, to, kind, tenant, atMs);
    }
  }

  private void run() throws IOException {
    List<Sent> events = new ArrayList<>();
    for (int i = 0; i < MARKETING; i++) {
      String tenant = i % 2 == 0 ? "bolt" : "acme";
      events.add(new Sent(BEGIN_MS + 2L * i, "m" + i, "+49" + i, "marketing", tenant));
    }
    for (int i = 0; i < PASSWORDS; i++)
      events.add(new Sent(BEGIN_MS + 13 + 700L * i, "p" + i, "+43" + i, "password", "bank"));
    for (int i = 0; i < PHONE; i++)
      events.add(new Sent(BEGIN_MS + 3_000 + i, "f" + i, "+1", "status", "bank"));
    events.sort(Comparator.comparingLong(Sent::atMs));
    for (Sent each : events) sent.put(each.id(), each);
    SimulateCli.Result result =
        new SimulateCli(
                folder,
                "bootstrap.servers=localhost:9092",
                "application.id=vendor-job",
                "sluice.event.user=to",
                "sluice.event.action=kind",
                "sluice.event.attribute.tenant=tenant",
                "sluice.limits=vendor,phone",
                "sluice.limit.vendor.key=",
                "sluice.limit.vendor.backend=redis",
                "sluice.limit.vendor.quota=20/1s",
                "sluice.limit.vendor.burst=1",
                "sluice.limit.vendor.exceeded=queue",
                "sluice.limit.phone.quota=1/5s",
                "sluice.limit.phone.exceeded=queue",
                "sluice.queue.priority=action",
                "sluice.queue.priorities=password,*,marketing",
                "sluice.queue.aging=0",
                "sluice.queue.fair=attributes.tenant",
                "sluice.queue.weight.acme=3")
            .quietly(events.stream().map(Sent::json).toArray(String[]::new));
    for (String line : result.out()) {
      JsonNode verdict = JSON.readTree(line);
      if (verdict.get("verdict").asText().equals("allowed"))
        released.put(verdict.get("eventId").asText(), verdict.get("releasedAtMs").asLong());
    }
  }

  @Test
  void everyRuleOfTheQueueHoldsAtOnce() throws IOException {
    run();
    assertThat(released).hasSize(sent.size());
    theRateIsUsedAndKept();
    passwordsWaitForOneMessageOnly();
    thePhoneKeepsItsOrderAndSpacing();
    tenantsHaveTheirShares();
  }

  private void theRateIsUsedAndKept() {
    List<Long> instants = released.values().stream().sorted().toList();
    long lastedMs = instants.get(instants.size() - 1) - instants.get(0);
    assertThat((instants.size() - 1) * INTERVAL_MS).isGreaterThanOrEqualTo(lastedMs * 98 / 100);
    for (int i = 1; i < instants.size(); i++)
      assertThat(instants.get(i) - instants.get(i - 1)).isGreaterThanOrEqualTo(INTERVAL_MS);
  }

  private void passwordsWaitForOneMessageOnly() {
    for (Sent each : sent.values()) {
      if (!each.kind().equals("password")) continue;
      assertThat(released.get(each.id()) - each.atMs())
          .as(each.id())
          .isBetween(0L, INTERVAL_MS + 2 * TICK_MS);
    }
  }

  private void thePhoneKeepsItsOrderAndSpacing() {
    for (int i = 1; i < PHONE; i++)
      assertThat(released.get("f" + i) - released.get("f" + (i - 1)))
          .isBetween(5_000L, 5_000 + TICK_MS);
  }

  /** Checks the bound as long as both tenants have messages in line. */
  private void tenantsHaveTheirShares() {
    List<String> tenants =
        sent.values().stream()
            .filter(each -> each.kind().equals("marketing"))
            .sorted(Comparator.comparingLong(each -> released.get(each.id())))
            .map(Sent::tenant)
            .toList();
    int acme = 0;
    int bolt = 0;
    double least = 0;
    double most = 0;
    while (acme < MARKETING / 2 - 1 && bolt < MARKETING / 2 - 1) {
      if (tenants.get(acme + bolt).equals("acme")) acme++;
      else bolt++;
      double ahead = acme / 3.0 - bolt;
      least = Math.min(least, ahead);
      most = Math.max(most, ahead);
    }
    assertThat(most - least).isLessThanOrEqualTo(1 / 3.0 + 1 + 1e-9);
  }
}
