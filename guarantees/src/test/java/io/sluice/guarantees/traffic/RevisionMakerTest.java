package io.sluice.guarantees.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.scenario.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RevisionMakerTest {
  private static final long NOON_MS = 1_790_000_000_000L;

  private static List<Revision> made(boolean pauses) {
    RevisionMaker maker = new RevisionMaker(new SplittableRandom(1), pauses);
    List<Revision> made = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) made.add(maker.next(NOON_MS + i * 350L));
    return made.stream().filter(Revision::isPause).toList();
  }

  @Test
  void limitsWithAQueueArePausedForAllOrForAUserAndSomeEndEarly() {
    List<Revision> pauses = made(true);

    assertThat(pauses).extracting(Revision::limit).containsOnly("vendor", "courier");
    assertThat(pauses)
        .filteredOn(each -> each.limit().equals("courier"))
        .extracting(Revision::user)
        .contains("", "queuer0", "queuer9");
    assertThat(pauses).extracting(Revision::untilMs).isNotEmpty().doesNotContain(Revision.FOR_GOOD);
    assertThat(pauses.stream().map(Revision::id).distinct()).hasSizeLessThan(pauses.size());
  }

  @Test
  void withoutTheAbilityNothingIsPaused() {
    assertThat(made(false)).isEmpty();
  }
}
