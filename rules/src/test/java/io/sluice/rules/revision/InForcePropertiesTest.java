package io.sluice.rules.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests properties that hold for any revisions. One seed is new each time; the name contains it.
 */
@Tag("slow") // thousands of random revisions against an oracle
class InForcePropertiesTest {
  private static final int ROUNDS = 150;
  private static final LimitsConfig CONFIG = Given.config();
  private static final List<String> LIMITS = List.of("reply", "dm", "sms");

  static LongStream seeds() {
    return TestScale.seeds(2, 20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void isWhatTheOracleSays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomRevisions revisions = new RandomRevisions(random);
    for (int round = 0; round < ROUNDS; round++) {
      Collection<LimitRevision> last = last(revisions.many(2 + random.nextInt(30), 30)).values();
      LimitsInForce limits = LimitsInForce.of(CONFIG).with(last);
      InForceOracle oracle = new InForceOracle(CONFIG, last);
      for (int i = 0; i < 20; i++) {
        Event event = event(random);
        String limit = revisions.any(LIMITS);
        long ms = Given.at(random.nextInt(RandomRevisions.HOURS + 1)) - random.nextInt(2);
        assertAgree(limits, oracle.at(limit, event, ms), limit, event, ms);
      }
    }
  }

  private static void assertAgree(
      LimitsInForce limits, InForceOracle.Answer answer, String limit, Event event, long ms) {
    boolean there = limits.at(ms).all().stream().anyMatch(each -> each.name().equals(limit));
    assertThat(there).as("%s is in force at %s", limit, ms).isEqualTo(!answer.texts().isEmpty());
    if (!there) return;
    TreatedLimit treatedLimit = limits.treatedLimit(limit, event, ms);
    Map<String, String> texts = new TreeMap<>(answer.texts());
    texts.remove("enabled");
    LimitTexts.Reading read = CONFIG.texts().read(limit, texts);
    assertThat(treatedLimit.limit())
        .as("%s for %s at %s", limit, event, ms)
        .isEqualTo(read.limit());
    assertThat(treatedLimit.treatment().name()).isEqualToIgnoringCase(answer.verdict());
    NumbersChange now = Given.lastUntil(limits.numbers(limit, event), ms);
    assertThat(now.quota()).isEqualTo(read.limit().rule().quota());
    assertThat(now.blockMicros()).isEqualTo(read.limit().rule().blockMicros());
    if (limit.equals("sms")) return; // it does not always exist
    assertThat(limits.numbers(limit, event))
        .filteredOn(each -> each.anew() && each.fromMs() <= ms)
        .extracting(NumbersChange::fromMs)
        .isEqualTo(answer.resets());
  }

  /** An event without a target lacks the key of dm, which does not meter it, but may deny it. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void eventsWithAndWithoutTheKeyAreDeniedAsTheOracleSays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomRevisions revisions = new RandomRevisions(random);
    for (int round = 0; round < ROUNDS; round++) {
      Collection<LimitRevision> last = last(revisions.many(2 + random.nextInt(30), 30)).values();
      LimitsInForce limits = LimitsInForce.of(CONFIG).with(last);
      InForceOracle oracle = new InForceOracle(CONFIG, last);
      for (int i = 0; i < 20; i++) {
        String user = revisions.any(List.of("ada", "bob", "eve"));
        Event event = Given.event(user, revisions.any(List.of("", "", "ada", "bob")));
        long ms = Given.at(random.nextInt(RandomRevisions.HOURS + 1)) - random.nextInt(2);
        assertThat(limits.matching(event, ms).settled().filter(Verdict::isDenied).isPresent())
            .as("%s at %s", event, ms)
            .isEqualTo(isDenied(limits, oracle, event, ms));
      }
    }
  }

  private static boolean isDenied(
      LimitsInForce limits, InForceOracle oracle, Event event, long ms) {
    boolean isTreated = false;
    for (Limit limit : limits.at(ms).all()) {
      if (!limit.match().matches(event)) continue;
      String verdict = oracle.at(limit.name(), event, ms).verdict();
      if (verdict.equals("reject")) return true;
      isTreated |= verdict.equals("allow") || !limit.skips(event);
    }
    return !isTreated && oracle.everyLimit(event, ms).equals("reject");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void doesNotDependOnTheOrderOfReading(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomRevisions revisions = new RandomRevisions(random);
    for (int round = 0; round < ROUNDS; round++) {
      Map<String, LimitRevision> last = last(revisions.many(12, 12));
      LimitsInForce atOnce = LimitsInForce.of(CONFIG).with(last.values());
      LimitsInForce oneByOne = LimitsInForce.of(CONFIG);
      for (LimitRevision each : shuffled(revisions.many(10, 20), random)) {
        oneByOne = oneByOne.with(each);
        oneByOne.revisions(Given.at(3)); // fills caches, which become stale
        oneByOne.digest(Given.at(5));
      }
      for (int i = 0; i < 20; i++) {
        if (!last.containsKey("r" + i)) oneByOne = oneByOne.with(List.of(), List.of("r" + i));
      }
      for (LimitRevision each : shuffled(last.values(), random)) oneByOne = oneByOne.with(each);
      assertSame(oneByOne, atOnce, random);
    }
  }

  private static void assertSame(LimitsInForce one, LimitsInForce other, SplittableRandom random) {
    assertThat(one.size()).isEqualTo(other.size());
    for (int hour = -1; hour <= RandomRevisions.HOURS; hour++) {
      long ms = Given.at(hour);
      assertThat(one.revisions(ms)).isEqualTo(other.revisions(ms));
      assertThat(one.digest(ms)).isEqualTo(other.digest(ms));
      assertThat(one.at(ms).all()).isEqualTo(other.at(ms).all());
      for (var limit : one.at(ms).all()) {
        Event event = event(random);
        assertThat(one.treatedLimit(limit.name(), event, ms))
            .isEqualTo(other.treatedLimit(limit.name(), event, ms));
        assertThat(one.numbers(limit.name(), event)).isEqualTo(other.numbers(limit.name(), event));
        assertThat(one.sayingSo(limit.name(), event, ms))
            .isEqualTo(other.sayingSo(limit.name(), event, ms));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothingEffectiveLaterChangesAnEarlierAnswer(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomRevisions revisions = new RandomRevisions(random);
    for (int round = 0; round < ROUNDS; round++) {
      LimitsInForce limits = LimitsInForce.of(CONFIG).with(revisions.many(12, 30));
      LimitRevision late = revisions.next("late");
      LimitsInForce more = limits.with(late);
      for (int hour = -1; Given.at(hour) < late.effectiveAtMs(); hour++) {
        assertThat(more.digest(Given.at(hour))).isEqualTo(limits.digest(Given.at(hour)));
        for (var limit : limits.at(Given.at(hour)).all()) {
          Event event = event(random);
          assertThat(more.treatedLimit(limit.name(), event, Given.at(hour)))
              .isEqualTo(limits.treatedLimit(limit.name(), event, Given.at(hour)));
        }
      }
    }
  }

  private static Map<String, LimitRevision> last(List<LimitRevision> many) {
    Map<String, LimitRevision> last = new LinkedHashMap<>();
    for (LimitRevision each : many) last.put(each.id(), each);
    return last;
  }

  private static List<LimitRevision> shuffled(
      Collection<LimitRevision> some, SplittableRandom random) {
    List<LimitRevision> shuffled = new ArrayList<>(some);
    Collections.shuffle(shuffled, new Random(random.nextLong()));
    return shuffled;
  }

  private static Event event(SplittableRandom random) {
    List<String> people = List.of("ada", "bob", "eve");
    return Given.event(people.get(random.nextInt(3)), people.get(random.nextInt(3)));
  }
}
