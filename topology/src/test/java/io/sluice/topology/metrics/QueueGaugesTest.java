package io.sluice.topology.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Field;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.topology.config.ConfigText;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.QueueGauges.Line;
import io.sluice.topology.metrics.QueueGauges.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the metrics of events in line, by class. */
class QueueGaugesTest {
  private static final QueueOrder ORDER =
      new QueueOrder(
          Optional.of(Field.ACTION), List.of("otp", "*", "bulk"), 0, Optional.empty(), Map.of());

  private final SluiceConfig config = ConfigText.config("sluice.limit.reply.exceeded=queue");
  private final List<MetricDefinition> metrics = new ArrayList<>();
  private final QueueGauges gauges = new QueueGauges(config.limits().all(), ORDER, metrics::add);

  /** Task with the given events in line, at 10 s by its clock. */
  private record WaitingTask(Map<Line, Standing> lines) implements QueueGauges.Task {
    @Override
    public long waiting() {
      return lines.values().stream().mapToLong(Standing::length).sum();
    }

    @Override
    public long wallMs() {
      return 10_000;
    }

    @Override
    public long nextMs() {
      return 0;
    }
  }

  private static Line line(int rank) {
    return new Line("reply", rank);
  }

  /** Returns the values of a metric that are not 0, by class. */
  private Map<String, Double> valuesOf(String metric, String limit) {
    Map<String, Double> values = new HashMap<>();
    for (MetricDefinition each : metrics) {
      double value = each.value().getAsDouble();
      boolean isWanted = each.name().equals(metric) && limit.equals(each.tags().get("limit"));
      if (isWanted && value != 0) assertThat(values.put(each.tags().get("class"), value)).isNull();
    }
    return values;
  }

  @Test
  void theEventsOfAllTasksAreCountedByClass() {
    gauges.join(new WaitingTask(Map.of(line(0), new Standing(2, 9_000))));
    gauges.join(
        new WaitingTask(Map.of(line(0), new Standing(3, 8_000), line(2), new Standing(4, 4_000))));

    assertThat(valuesOf("queue-length", "reply")).isEqualTo(Map.of("otp", 5.0, "bulk", 4.0));
    assertThat(valuesOf("queue-oldest-seconds", "reply"))
        .isEqualTo(Map.of("otp", 2.0, "bulk", 6.0));
    assertThat(gauges.length("reply")).isEqualTo(9);
    assertThat(gauges.lengths()).isEqualTo(Map.of("reply", 9L));
    assertThat(gauges.waiting()).isEqualTo(9);
    assertThat(gauges.oldestMs()).isEqualTo(6_000);
  }

  @Test
  void releasesAreCountedByClass() {
    gauges.released(List.of("reply"), 1);
    gauges.released(List.of("reply"), 1);
    gauges.released(List.of("reply"), 2);

    assertThat(valuesOf("queue-releases", "reply")).isEqualTo(Map.of("*", 2.0, "bulk", 1.0));
  }

  /** An earlier start may have had more classes; the rows of that time have their numbers. */
  @Test
  void eventsOfAClassThatIsGoneCountForTheLastOne() {
    gauges.join(
        new WaitingTask(Map.of(line(2), new Standing(1, 9_000), line(7), new Standing(2, 7_000))));
    gauges.released(List.of("reply"), 100);

    assertThat(valuesOf("queue-length", "reply")).isEqualTo(Map.of("bulk", 3.0));
    assertThat(valuesOf("queue-oldest-seconds", "reply")).isEqualTo(Map.of("bulk", 3.0));
    assertThat(valuesOf("queue-releases", "reply")).isEqualTo(Map.of("bulk", 1.0));
    assertThat(gauges.length("reply")).isEqualTo(3);
  }

  @Test
  void aLimitOfARevisionHasAllClassesAtOnce() {
    int before = metrics.size();

    gauges.released(List.of("later"), 1);

    List<String> releases =
        metrics.subList(before, metrics.size()).stream()
            .filter(each -> each.name().equals("queue-releases"))
            .map(each -> each.tags().get("class"))
            .toList();
    assertThat(releases).containsExactly("otp", "*", "bulk");
    assertThat(valuesOf("queue-releases", "later")).isEqualTo(Map.of("*", 1.0));
  }
}
