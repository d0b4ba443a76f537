package io.sluice.topology.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.testing.LogLines;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.metrics.MissingKeys.KeyShare;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the counts of events without a limit's key, and of their lines in the log. */
class MissingKeyCountsTest {
  private static final long START_MS = 1_700_000_000_000L;

  private final List<MetricDefinition> metrics = new ArrayList<>();

  private static Limits limits(String... settings) {
    return ConfigText.config(settings).limits();
  }

  private MissingKeys counts(Limits limits) {
    return new MissingKeys(limits.optionalKeys(), metrics::add);
  }

  @Test
  void theLogHasALineAMinute() {
    Limits limits = limits("sluice.limit.reply.key=userId,target");
    Limit reply = limits.all().get(0);
    MissingKeys counts = counts(limits);
    try (LogLines log = LogLines.of(MissingKeys.class)) {
      for (int second = 0; second < 125; second++) {
        counts.count(reply, true, START_MS + second * 1_000);
        counts.count(reply, false, START_MS + second * 1_000);
      }
      assertThat(log.lines())
          .containsExactly(
              line(1, "it does not apply to them", "skip"),
              line(61, "it does not apply to them", "skip"),
              line(121, "it does not apply to them", "skip"));
    }
    assertThat(counts.shares()).containsExactly(new KeyShare("reply", 125, 250));
  }

  private static String line(int events, String treatment, String setting) {
    return "WARN Limit reply: %d events since the start lack target, by which it counts: %s (sluice.limit.reply.key.missing=%s)"
        .formatted(events, treatment, setting);
  }

  @ParameterizedTest
  @CsvSource({
    "share,enforce,they share one count",
    "reject,enforce,they are rejected",
    "reject,shadow,it would reject them"
  })
  void theLineTellsTheTreatment(String missing, String mode, String treatment) {
    Limits limits =
        limits(
            "sluice.limit.reply.key=userId,target",
            "sluice.limit.reply.mode=" + mode,
            "sluice.limit.reply.key.missing=" + missing);
    try (LogLines log = LogLines.of(MissingKeys.class)) {
      counts(limits).count(limits.all().get(0), true, START_MS);
      assertThat(log.lines()).containsExactly(line(1, treatment, missing));
    }
  }

  @Test
  void eachLimitWithAnOptionalKeyHasAMetricFromTheStart() {
    counts(limits());
    assertThat(metrics).isEmpty();
    counts(
        limits("sluice.limit.reply.distinct=target", "sluice.limit.reply.algorithm=hyperloglog"));
    assertThat(metrics)
        .extracting(metric -> metric.name() + metric.tags())
        .containsExactly("key-missing{limit=reply}");
  }

  @Test
  void aFieldThatIsNeverMissingIsNotReported() {
    Limits limits = limits("sluice.limit.reply.key=userId,target");
    MissingKeys counts = counts(limits);
    counts.count(limits.all().get(0), false, START_MS);
    assertThat(counts.shares()).isEmpty();
  }
}
