package io.sluice.topology.watch;

import static io.sluice.rules.limit.Verdict.Kind.ALLOWED;
import static io.sluice.rules.limit.Verdict.Kind.REJECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.LimitDecision;
import io.sluice.topology.Harness;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.watch.Top.Heavy;
import io.sluice.topology.watch.Watch.ThreadWatch;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests of the recent event counts of an instance. */
class WatchTest {
  private static final long NOON_MS = Harness.NOON_MS;
  private static final Limit LIMIT =
      SluiceConfig.of(
              Map.of(
                  "bootstrap.servers", "localhost:9092",
                  "application.id", "test",
                  "sluice.limits", "reply",
                  "sluice.limit.reply.quota", "5/60s"))
          .limits()
          .all()
          .get(0);

  private final Watch watch = new Watch();

  private ThreadWatch own(long atMs) {
    return watch.ofThread().at(atMs);
  }

  private static LimitDecision by(Limit limit, String key) {
    return new LimitDecision(limit, key, new Decision.Conforming(0, 0), 0);
  }

  private void rejected(String key, int times, long atMs) {
    for (int i = 0; i < times; i++) own(atMs).decided(by(LIMIT, key), REJECTED);
  }

  private Top top(long atMs) {
    return watch.top("reply", false, REJECTED, atMs);
  }

  @Test
  void aKeyLeavesWhenItsEventsAreOld() {
    rejected("ada", 3, NOON_MS);
    rejected("eve", 2, NOON_MS + 120_000);
    assertThat(top(NOON_MS + 130_000).keys())
        .containsExactly(new Heavy("ada", 3, 3), new Heavy("eve", 2, 2));
    assertThat(top(NOON_MS + 359_999).keys()).hasSize(2);
    assertThat(top(NOON_MS + 360_000).keys()).containsExactly(new Heavy("eve", 2, 2));
    assertThat(top(NOON_MS + 480_000).keys()).isEmpty();
  }

  @Test
  void minutesAreAddedUp() {
    for (int minute = 0; minute < 6; minute++) rejected("ada", 2, NOON_MS + minute * 60_000);
    Top top = top(NOON_MS + 330_000);
    assertThat(top.keys()).containsExactly(new Heavy("ada", 12, 12));
    assertThat(top.events()).isEqualTo(12);
    assertThat(top.windowMs()).isEqualTo(330_000);
  }

  @Test
  void aClockThatWasWrongForAWhileDoesNoLastingHarm() {
    rejected("ada", 1, NOON_MS + 3_600_000_000L);
    rejected("eve", 1, 0);
    rejected("bob", 1, -1);
    rejected("eve", 4, NOON_MS);
    assertThat(top(NOON_MS + 1).keys()).containsExactly(new Heavy("eve", 4, 4));
  }

  @Test
  void verdictsAreApart() {
    rejected("ada", 1, NOON_MS);
    own(NOON_MS).decided(by(LIMIT, "eve"), ALLOWED);
    assertThat(top(NOON_MS).keys()).containsExactly(new Heavy("ada", 1, 1));
    assertThat(watch.top("reply", false, ALLOWED, NOON_MS).keys())
        .containsExactly(new Heavy("eve", 1, 1));
  }

  @Test
  void threadsAreAddedUpAndADeadOneLeavesItsNumbersToTheNext() throws InterruptedException {
    rejected("ada", 1, NOON_MS);
    AtomicReference<Object> first = new AtomicReference<>();
    AtomicReference<Object> second = new AtomicReference<>();
    run(
        () -> {
          first.set(own(NOON_MS));
          rejected("ada", 2, NOON_MS);
        });
    assertThat(top(NOON_MS).keys()).containsExactly(new Heavy("ada", 3, 3));
    run(
        () -> {
          second.set(own(NOON_MS));
          rejected("ada", 4, NOON_MS);
        });
    assertThat(top(NOON_MS).keys()).containsExactly(new Heavy("ada", 7, 7));
    assertThat(second.get()).isSameAs(first.get()).isNotSameAs(own(NOON_MS));
  }

  private static void run(Runnable task) throws InterruptedException {
    Thread thread = new Thread(task);
    thread.start();
    thread.join();
  }

  @Test
  void aQuarterOfAnHourIsKept() {
    rejected("ada", 2, NOON_MS);
    rejected("ada", 3, NOON_MS + 9_999);
    own(NOON_MS + 20_000).undecided(ALLOWED);
    Watch.History history = watch.history(NOON_MS + 900_000);
    assertThat(history.fromMs()).isEqualTo(NOON_MS);
    assertThat(history.lines()).extracting(Watch.Line::limit).containsExactly("", "reply");
    assertThat(history.lines().get(0).counts().get(ALLOWED)[2]).isEqualTo(1);
    assertThat(history.lines().get(1).counts().get(REJECTED)).startsWith(5, 0).hasSize(91);
    assertThat(watch.history(NOON_MS + 910_000).lines().get(1).counts().get(REJECTED))
        .containsOnly(0);
    rejected("ada", 1, NOON_MS + 910_000);
    assertThat(watch.history(NOON_MS + 910_000).lines().get(1).counts().get(REJECTED))
        .endsWith(0, 1);
  }

  @Test
  void limitsBeyondThoseThereIsRoomForAreCountedWithoutKeysUntilOthersAreGone() {
    for (int i = 0; i < 2_000; i++) own(NOON_MS).decided(by(named("limit" + i), "ada"), REJECTED);
    assertThat(watch.history(NOON_MS).lines()).hasSize(1_000);
    assertThat(watch.hasKeys("limit49", false)).isTrue();
    assertThat(watch.hasKeys("limit50", false)).isFalse();
    assertThat(watch.top("limit50", false, REJECTED, NOON_MS).keys()).isEmpty();
    long laterMs = NOON_MS + 1_000_000;
    own(laterMs).decided(by(named("another"), "ada"), REJECTED);
    assertThat(watch.top("another", false, REJECTED, laterMs).keys())
        .containsExactly(new Heavy("ada", 1, 1));
    assertThat(watch.history(laterMs).lines()).hasSize(1);
  }

  private static Limit named(String name) {
    return LIMIT.with(Rule.policing(name, LIMIT.rule().quota(), LIMIT.rule().algorithm()));
  }

  @Test
  void whatInstancesSayIsAddedUpWithItsError() {
    Top here = new Top(List.of(new Heavy("ada", 10, 12), new Heavy("bob", 5, 5)), 2, 30, 0);
    Top there = new Top(List.of(new Heavy("ada", 1, 1), new Heavy("eve", 7, 8)), 1, 20, 0);
    assertThat(Top.merged(List.of(here, there), 300_000))
        .isEqualTo(
            new Top(
                List.of(new Heavy("ada", 11, 13), new Heavy("eve", 7, 10), new Heavy("bob", 5, 6)),
                3,
                50,
                300_000));
  }

  @Test
  void sumsNeitherOverflowNorAreNegativeWhateverInstancesSay() {
    long huge = Long.MAX_VALUE - 1;
    Top one = new Top(List.of(new Heavy("ada", huge, huge), new Heavy("ada", 2, 2)), 1, huge, 0);
    Top odd = new Top(List.of(new Heavy("eve", 7, 0), new Heavy("bob", 0, 1)), huge, huge, 0);
    Top all = Top.merged(List.of(one, odd, odd), 300_000);
    assertThat(all.events()).isEqualTo(Long.MAX_VALUE);
    assertThat(all.othersAtMost()).isEqualTo(Long.MAX_VALUE);
    assertThat(all.keys())
        .extracting(Heavy::key, Heavy::atLeast)
        .containsExactly(tuple("ada", Long.MAX_VALUE), tuple("eve", 14L), tuple("bob", 0L));
    assertThat(all.keys().get(0).atMost()).isEqualTo(Long.MAX_VALUE);
    assertThat(all.keys()).allMatch(each -> each.atMost() >= each.atLeast());
    Top few = new Top(List.of(new Heavy("eve", 7, 0)), 5, 7, 0);
    assertThat(Top.merged(List.of(few), 0).keys()).containsExactly(new Heavy("eve", 7, 7));
  }

  @Test
  void aKeyThatIsLeftOutIsAmongTheOthers() {
    Top top = new Top(List.of(new Heavy("ada", 10, 10), new Heavy("bob", 5, 9)), 2, 30, 0);
    assertThat(top.first(1)).isEqualTo(new Top(List.of(new Heavy("ada", 10, 10)), 9, 30, 0));
  }
}
