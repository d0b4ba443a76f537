package io.sluice.cli.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.revision.LimitsInForce;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Tests of the place in line that the report of an event shows. */
class EventReportTest {
  private static final long NOW_MS = 1_700_000_000_000L;
  private static final String[] ORDER = {
    "sluice.limit.reply.exceeded=queue",
    "sluice.queue.priority=attributes.kind",
    "sluice.queue.priorities=otp,*",
    "sluice.queue.fair=attributes.tenant"
  };

  private static String report(String attributes, String... lines) {
    SluiceConfig config = SluiceConfig.of(SettingLines.withLimit(lines));
    StringWriter out = new StringWriter();
    String event =
        "{\"userId\":\"ada\",\"action\":\"reply\",\"occurredAt\":%d,\"attributes\":{%s}}"
            .formatted(NOW_MS, attributes);
    new EventReport(
            config,
            LimitsInForce.of(config.limitsConfig()),
            InstantSource.fixed(Instant.ofEpochMilli(NOW_MS)),
            new PrintWriter(out, true))
        .print(new ConsumerRecord<>("user-actions", 0, 0, null, event.getBytes(UTF_8)));
    return out.toString();
  }

  @Test
  void theClassAndTheTenantOfAnEventAreShown() {
    assertThat(report("\"kind\":\"otp\",\"tenant\":\"acme\"", ORDER))
        .endsWith("in line: class otp, tenant acme" + System.lineSeparator());
    assertThat(report("\"kind\":\"news\"", ORDER))
        .endsWith("in line: class *, tenant (none)" + System.lineSeparator());
  }

  @Test
  void theAttributesOfTheOrderAreAmongTheFields() {
    assertThat(report("\"kind\":\"otp\",\"tenant\":\"acme\"", ORDER))
        .containsPattern("attributes\\.kind .*otp")
        .containsPattern("attributes\\.tenant .*acme");
  }

  @Test
  void anEventThatNeverWaitsHasNoPlaceInLine() {
    String[] rejecting = SettingLines.with(ORDER, "sluice.limit.reply.exceeded=reject");

    assertThat(report("\"kind\":\"otp\"", rejecting)).doesNotContain("in line");
    assertThat(report("\"kind\":\"otp\"", "sluice.limit.reply.exceeded=queue"))
        .doesNotContain("in line");
  }
}
