package io.sluice.rules.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rooms.TestScale;
import io.sluice.rules.event.Event;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimitLookupTest {
  private static final int ROUNDS = 100;

  /** Hour at which buckets remember nothing of most changes. */
  private static final int LATER = 200;

  static LongStream seeds() {
    return TestScale.seeds(1, 20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void findsTheSameWhateverWasAskedBefore(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    RandomRevisions revisions = new RandomRevisions(random);
    LimitLookup lookup = new LimitLookup();
    for (int round = 0; round < ROUNDS; round++) {
      LimitsInForce limits =
          LimitsInForce.of(Given.config()).with(revisions.many(2 + random.nextInt(15), 15));
      for (int i = 0; i < 100; i++) {
        Event event = Given.event(person(random), person(random));
        long ms = Given.at(random.nextInt(random.nextBoolean() ? LATER : RandomRevisions.HOURS));
        assertThat(lookup.matching(limits, event, ms))
            .as("%s at %s", event, ms)
            .isEqualTo(limits.matching(event, ms));
      }
    }
  }

  private static String person(SplittableRandom random) {
    return List.of("ada", "bob", "eve").get(random.nextInt(3));
  }

  /** Keys of both limits may have the same text. */
  @Test
  void keysOfTwoLimitsAreToldApart() throws UnreadableRevisionException {
    LimitsInForce limits =
        Given.limits("sluice.limit.dm.key=userId")
            .with(
                List.of(
                    Given.revision(
                        "a", 1, "{'limit':'reply','for':{'userId':'ada'},'set':{'quota':'7/1s'}}"),
                    Given.revision(
                        "b", 1, "{'limit':'dm','for':{'userId':'ada'},'set':{'quota':'8/1s'}}")));
    Event event = Given.event("ada", "bob");
    LimitLookup lookup = new LimitLookup();
    for (int i = 0; i < 2; i++) {
      assertThat(lookup.matching(limits, event, Given.at(LATER)))
          .isEqualTo(limits.matching(event, Given.at(LATER)));
    }
  }

  /** The cache grows and drops entries, since more keys come than it has room for. */
  @Test
  void ofThousandsEachHasItsOwn() throws UnreadableRevisionException {
    List<LimitRevision> own = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      String revision = "{'limit':'reply','for':{'userId':'user-%d'},'set':{'quota':'%d/1s'}}";
      own.add(Given.revision("own-" + i, 1, revision.formatted(i, i + 1)));
    }
    LimitsInForce limits = Given.limits().with(own);
    LimitLookup lookup = new LimitLookup();
    for (int i = 0; i < 3 * own.size(); i++) {
      Event event = Given.event("user-" + i % own.size(), "bob");
      assertThat(lookup.matching(limits, event, Given.at(LATER)))
          .isEqualTo(limits.matching(event, Given.at(LATER)));
    }
  }
}
