package io.sluice.rules.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests overrides of many users, which change in batches. */
class OverridesTest {
  /** Hour at which buckets remember nothing of the changes. */
  private static final int LATER = 200;

  static LongStream seeds() {
    return TestScale.seeds(1, 20);
  }

  /** Keys of both limits may have the same text. */
  @Test
  void keysOfTwoLimitsAreToldApart() {
    LimitsInForce limits =
        Given.limits("sluice.limit.dm.key=userId")
            .with(List.of(quota("a", "reply", "ada", 7), quota("b", "dm", "ada", 8)));
    List<Long> permits = new ArrayList<>();
    for (var each : limits.matching(Given.event("ada", "bob"), Given.at(LATER)).stored()) {
      permits.add(permits(each));
    }
    assertThat(permits).containsExactlyInAnyOrder(7L, 8L);
  }

  /** A follower adds a batch after each poll, and most of them are empty. */
  @Test
  void aBatchThatChangesNothingCopiesNothing() {
    LimitsInForce limits = Given.limits().with(List.of(quota("a", "reply", "ada", 7)));
    assertThat(limits.with(List.of(), List.of())).isSameAs(limits);
    assertThat(limits.with(List.of(), List.of("unknown"))).isSameAs(limits);
    assertThat(limits.with(List.of(), List.of("a"))).isNotSameAs(limits);
  }

  @Test
  void ofThousandsEachHasItsOwn() {
    List<LimitRevision> own = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) own.add(quota("own-" + i, "reply", "user-" + i, i + 1));
    LimitsInForce limits = Given.limits().with(own);
    for (int i = 0; i < own.size(); i++) {
      assertThat(permits(limits, "user-" + i)).isEqualTo(i + 1);
    }
    assertThat(permits(limits, "user-4000")).isEqualTo(5);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void batchesChangeOnlyTheirOwnUsersAndNoEarlierLimits(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    LimitsInForce limits = Given.limits();
    Map<String, Integer> expected = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      LimitsInForce old = limits;
      Map<String, Integer> oldExpected = new HashMap<>(expected);
      List<LimitRevision> more = new ArrayList<>();
      List<String> gone = new ArrayList<>();
      int number = random.nextInt(1 << random.nextInt(7));
      for (int j = 0; j < number; j++) {
        String user = random.nextBoolean() ? "user-" + random.nextInt(900) : colliding(random);
        if (random.nextInt(5) < 2) gone.add(user);
        else more.add(quota(user, "reply", user, 10 + i * 100 + j));
      }
      limits = limits.with(more, gone);
      expected.keySet().removeAll(gone);
      for (LimitRevision each : more) expected.put(each.id(), permits(each));
      assertHave(limits, expected);
      assertHave(old, oldExpected);
    }
  }

  private static void assertHave(LimitsInForce limits, Map<String, Integer> expected) {
    assertThat(limits.size()).isEqualTo(expected.size());
    expected.forEach(
        (user, permits) -> assertThat(permits(limits, user)).isEqualTo((long) permits));
  }

  /** Returns a name with the same hash as all other results: Aa and BB have one hash. */
  private static String colliding(SplittableRandom random) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < 4; i++) name.append(random.nextBoolean() ? "Aa" : "BB");
    return name.toString();
  }

  private static LimitRevision quota(String id, String limit, String user, int permits) {
    String set = "{'limit':'%s','for':{'userId':'%s'},'set':{'quota':'%d/1s'}}";
    return Given.revision(id, 1, set.formatted(limit, user, permits));
  }

  private static int permits(LimitRevision revision) {
    return Integer.parseInt(revision.set().texts().get("quota").replace("/1s", ""));
  }

  /** Returns the permits of the limit {@code reply} for a user, as an event is metered. */
  private static long permits(LimitsInForce limits, String user) {
    Event event = Given.event(user);
    for (var each : limits.matching(event, Given.at(LATER)).stored()) {
      if (each.name().equals("reply")) return permits(each);
    }
    return 0;
  }

  private static long permits(Limit limit) {
    return limit.rule().at(Given.at(LATER) * 1_000).quota().permits();
  }
}
