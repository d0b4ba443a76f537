package io.sluice.guarantees.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.QueueRanks;
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

  private void make() {
    QueueEvents events = new QueueEvents(Topics.INPUTS, new SplittableRandom(1), new Numbers());
    for (long ms = 0; ms < RUN_MS; ms += 20) {
      events.next(NOON_MS + ms).forEach(sent -> made.add(sent.described()));
    }
  }

  /** Parcels of one user that were published at one instant. */
  private record Flood(String user, long publishedAtMs) {}

  /** In a run, more would wait for ever, and less would hardly wait. */
  @Test
  void bucketsAreUsedByHalfAndSomeEventsAreAlone() {
    make();

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

  @Test
  void floodsHaveSeveralTenantsMostlyInOneClass() {
    make();

    Map<Boolean, Long> bySameClass =
        made.stream()
            .filter(QueueLimits.COURIER::matches)
            .collect(Collectors.groupingBy(each -> new Flood(each.user(), each.publishedAtMs())))
            .values()
            .stream()
            .filter(flood -> flood.stream().map(Described::tenant).distinct().count() > 1)
            .filter(flood -> flood.size() > 30)
            .collect(
                Collectors.groupingBy(
                    flood -> flood.stream().map(QueueRanks::rank).distinct().count() == 1,
                    Collectors.counting()));
    assertThat(bySameClass.get(true)).isGreaterThan(40);
    assertThat(bySameClass.get(false)).isGreaterThan(10);
  }

  @Test
  void everyClassAndTenantComesAndNone() {
    make();

    assertThat(made).extracting(QueueRanks::rank).contains(0, 1, 2, 3);
    assertThat(made).extracting(Described::tenant).containsAll(QueueRanks.TENANTS).contains("");
  }

  @Test
  void aRunBeginsWithFloods() {
    QueueEvents events = new QueueEvents(Topics.INPUTS, new SplittableRandom(1), new Numbers());

    assertThat(events.next(NOON_MS))
        .extracting(each -> each.described().action())
        .contains(QueueLimits.PARCEL, QueueLimits.PAGE);
  }

  /** The first order to cancel an event needs one that waits until the order was surely read. */
  @Test
  void theLatestOfTheFirstEventsWaitsForLong() {
    QueueEvents events = new QueueEvents(Topics.INPUTS, new SplittableRandom(1), new Numbers());
    events.next(NOON_MS).forEach(sent -> made.add(sent.described()));
    Described latest = events.recent().get(events.recent().size() - 1);

    assertThat(QueueLimits.COURIER.matches(latest)).isTrue();
    List<Described> flood =
        made.stream()
            .filter(QueueLimits.COURIER::matches)
            .filter(each -> each.user().equals(latest.user()))
            .filter(each -> QueueRanks.rank(each) == QueueRanks.rank(latest))
            .toList();
    long lightest = QueueRanks.TENANTS.stream().mapToLong(QueueRanks::weight).min().orElseThrow();
    assertThat(QueueRanks.weight(latest.tenant())).isEqualTo(lightest);
    assertThat(flood.stream().mapToLong(Described::cost).sum())
        .isGreaterThan(20 * QueueLimits.COURIER.permits());
  }
}
