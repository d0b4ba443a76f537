package io.sluice.guarantees.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class QueueEventsTest {
  private static final long NOON_MS = 1_790_000_000_000L;
  private static final long RUN_MS = 600_000;

  private final List<Described> made = new ArrayList<>();

  private Map<String, Long> permitsByBucket(QueueLimit limit) {
    return made.stream()
        .filter(limit::matches)
        .collect(Collectors.groupingBy(limit::bucketOf, Collectors.summingLong(Described::cost)));
  }

  /** In a run, more would wait for ever, and less would hardly wait. */
  @Test
  void bucketsAreUsedByHalfAndSomeEventsAreAlone() {
    QueueEvents events = new QueueEvents(Topics.INPUTS, new SplittableRandom(1), new Numbers());
    for (long ms = 0; ms < RUN_MS; ms += 20) {
      events.next(NOON_MS + ms).forEach(sent -> made.add(sent.described()));
    }

    for (QueueLimit limit : QueueLimits.ALL) {
      Map<String, Long> permits = permitsByBucket(limit);
      long most = limit.permits() * RUN_MS / limit.periodMs();
      assertThat(permits)
          .as(limit.name())
          .allSatisfy((bucket, used) -> assertThat(used).isLessThan(most * 8 / 10));
      assertThat(permits.values()).as(limit.name()).anyMatch(used -> used > most / 5);
    }
    assertThat(made).filteredOn(each -> each.user().startsWith("alone")).hasSizeGreaterThan(300);
  }
}
