package io.sluice.rules.limit;

import static io.sluice.rules.event.TestEvent.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.rules.settings.LimitsConfig;
import io.sluice.rules.settings.LimitsText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of events that lack a field by which a limit counts; the limit aim counts by target. */
class MissingKeyTest {
  private static final Event AIMED = event("ann", "reply", "bob");
  private static final Event AIMLESS = event("ann", "reply", "");
  private static final long NOW_MS = 1_700_000_000_000L;

  private static LimitsInForce limits(String... lines) {
    List<String> all = new ArrayList<>();
    all.add("sluice.redis.uri=redis://localhost:6379");
    all.add("sluice.limits=aim,each");
    all.add("sluice.limit.aim.quota=5/60s");
    all.add("sluice.limit.aim.key=target");
    all.add("sluice.limit.aim.backend=redis");
    all.add("sluice.limit.each.quota=9/60s");
    for (String line : lines) all.add("sluice.limit." + line);
    LimitsConfig config = LimitsText.of(all);
    return LimitsInForce.of(config);
  }

  private static LimitsInForce revised(LimitsInForce limits, String json) {
    String begin = "{'id':'r','effectiveAt':" + (NOW_MS - 1) + ",'limit':'aim',";
    try {
      LimitRevision revision =
          new RevisionReader().ofLine((begin + json + "}").replace('\'', '"'), 1);
      return limits.with(revision);
    } catch (UnreadableRevisionException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static List<String> names(Matching matching) {
    return Stream.concat(matching.stored().stream(), matching.remote().stream())
        .map(Limit::name)
        .toList();
  }

  private static List<String> metering(LimitsInForce limits, Event event) {
    Matching matching = limits.matching(event, NOW_MS);
    assertThat(matching.settled()).isEmpty();
    return names(matching);
  }

  private static Verdict settled(LimitsInForce limits, Event event) {
    Matching matching = limits.matching(event, NOW_MS);
    assertThat(names(matching)).isEmpty();
    return matching.settled().orElseThrow();
  }

  @Test
  void byDefaultTheLimitDoesNotApply() {
    assertThat(metering(limits(), AIMLESS)).containsExactly("each");
    assertThat(metering(limits(), AIMED)).containsExactly("each", "aim");
  }

  @Test
  void allEventsWithoutTheKeyMayShareACount() {
    LimitsInForce limits = limits("aim.key.missing=share");

    assertThat(metering(limits, AIMLESS)).containsExactly("each", "aim");
    assertThat(Limit.buckets(limits.matching(AIMLESS, NOW_MS).remote(), AIMLESS).get(0).key())
        .isEmpty();
  }

  @Test
  void anEventWithoutTheKeyMayBeRejected() {
    LimitsInForce limits = limits("aim.key.missing=reject");
    Verdict verdict = settled(limits, AIMLESS);

    assertThat(verdict.kind()).isEqualTo(Verdict.Kind.REJECTED);
    assertThat(verdict.reason().text()).isEqualTo("missing-key");
    assertThat(verdict.deciding().get(0).limit().name()).isEqualTo("aim");
    assertThat(metering(limits, AIMED)).containsExactly("each", "aim");
  }

  @Test
  void inShadowModeNoEventIsRejected() {
    LimitsInForce limits = limits("aim.key.missing=reject", "aim.mode=shadow");

    assertThat(metering(limits, AIMLESS)).containsExactly("each");
    assertThat(limits.optionalKeys(NOW_MS)).singleElement().matches(OptionalKey::onlyReports);
    assertThat(
            settled(
                limits("aim.key.missing=reject", "aim.mode=shadow", "each.match.action=x"),
                AIMLESS))
        .isEqualTo(Verdict.exempt());
  }

  /** With distinct, a field that is counted may be missing although the key is there. */
  @ParameterizedTest
  @ValueSource(strings = {"skip", "share", "reject"})
  void aMissingDistinctFieldIsAMissingKey(String missing) {
    LimitsInForce limits =
        limits(
            "aim.key=userId",
            "aim.distinct=attributes.card",
            "aim.algorithm=sliding-window-log",
            "aim.key.missing=" + missing);
    Matching matching = limits.matching(AIMED, NOW_MS);

    switch (missing) {
      case "skip" -> assertThat(names(matching)).containsExactly("each");
      case "share" -> assertThat(names(matching)).containsExactly("each", "aim");
      default ->
          assertThat(matching.settled().orElseThrow().reason())
              .isEqualTo(Verdict.Reason.MISSING_KEY);
    }
  }

  @Test
  void anEventThatALimitSkipsIsNotLeftToIt() {
    assertThat(metering(limits("each.unless=aim"), AIMLESS)).containsExactly("each");
    assertThat(metering(limits("each.unless=aim"), AIMED)).containsExactly("aim");
    assertThat(metering(limits("each.unless=aim", "aim.key.missing=share"), AIMLESS))
        .containsExactly("aim");
    assertThat(settled(limits("each.unless=aim", "aim.key.missing=reject"), AIMLESS).reason())
        .isEqualTo(Verdict.Reason.MISSING_KEY);
  }

  @Test
  void anEventLeftToAnotherLimitLacksNothing() {
    LimitsInForce limits = limits("aim.unless=each", "aim.key.missing=reject");

    assertThat(metering(limits, AIMLESS)).containsExactly("each");
    assertThat(limits.optionalKeys(NOW_MS)).singleElement().matches(each -> !each.matches(AIMLESS));
  }

  @Test
  void anExemptEventIsNotRejectedAndADeniedOneIsDenied() {
    LimitsInForce limits =
        limits("aim.key=userId,target", "aim.key.missing=reject", "each.match.action=x");
    String ann = "'for':{'userId':'ann'},'set':";

    assertThat(settled(revised(limits, ann + "{'verdict':'allow'}"), AIMLESS))
        .isEqualTo(Verdict.exempt());
    assertThat(settled(revised(limits, ann + "{'verdict':'reject'}"), AIMLESS).isDenied()).isTrue();
    assertThat(settled(revised(limits, ann + "{'quota':'1/1s'}"), AIMLESS).reason())
        .isEqualTo(Verdict.Reason.MISSING_KEY);
    LimitsInForce watched = revised(limits, ann + "{'mode':'shadow'}");
    assertThat(settled(watched, AIMLESS)).isEqualTo(Verdict.exempt());
  }

  /** A producer cannot evade the denial of a limit by omitting a field of its key. */
  @ParameterizedTest
  @ValueSource(strings = {"", "'for':{'userId':'ann'},"})
  void anEventThatALimitSkipsIsDeniedOrExemptNevertheless(String scope) {
    LimitsInForce limits = limits("aim.key=userId,target");
    LimitsInForce denying = revised(limits, scope + "'set':{'verdict':'reject'}");
    Verdict denied = settled(denying, AIMLESS);
    assertThat(denied.isDenied()).isTrue();
    assertThat(denied.deciding().get(0).limit().name()).isEqualTo("aim");
    assertThat(denying.matching("aim", AIMLESS, NOW_MS).settled().orElseThrow().isDenied())
        .isTrue();

    LimitsInForce alone = limits("aim.key=userId,target", "each.match.action=x");
    assertThat(settled(revised(alone, scope + "'set':{'verdict':'allow'}"), AIMLESS))
        .isEqualTo(Verdict.exempt());
    LimitsInForce other = revised(limits, "'for':{'userId':'bob'},'set':{'verdict':'reject'}");
    assertThat(metering(other, AIMLESS)).containsExactly("each");
    assertThat(metering(revised(limits, scope + "'set':{'quota':'1/1s'}"), AIMLESS))
        .containsExactly("each");
    assertThat(metering(revised(limits, scope + "'set':{'verdict':'allow'}"), AIMLESS))
        .containsExactly("each");
  }

  @Test
  void aDenialIsNotOfEventsThatTheLimitWouldNotMatch() {
    String reject = "'for':{'userId':'ann'},'set':{'verdict':'reject'}";
    String key = "aim.key=userId,target";

    assertThat(metering(revised(limits(key, "aim.match.action=x"), reject), AIMLESS))
        .containsExactly("each");
    assertThat(metering(revised(limits(key, "aim.mode=shadow"), reject), AIMLESS))
        .containsExactly("each");
    assertThat(metering(revised(limits(key, "aim.unless=each"), reject), AIMLESS))
        .containsExactly("each");
  }

  @Test
  void aRevisionChangesItForAllEventsOnly() {
    LimitsInForce shared = revised(limits(), "'set':{'key.missing':'share'}");
    assertThat(metering(shared, AIMLESS)).containsExactly("each", "aim");
    assertThat(shared.matching(AIMLESS, NOW_MS - 5).remote()).isEmpty();

    LimitsInForce rejecting = revised(limits(), "'set':{'key.missing':'reject'}");
    assertThat(settled(rejecting, AIMLESS).reason()).isEqualTo(Verdict.Reason.MISSING_KEY);

    LimitsInForce one = revised(limits(), "'for':{'target':'bob'},'set':{'key.missing':'share'}");
    assertThat(one.revision("r", NOW_MS).refusals())
        .singleElement()
        .matches(each -> each.reason().startsWith("key.missing: cannot change for some events"));
  }

  /** Events that a limit does not count need not hop to the partition of the missing value. */
  @Test
  void onlyCountedEventsHaveAHome() {
    String[] stored = {"each.match.action=x", "aim.backend=state-store", "each.key=target"};
    for (String missing : List.of("skip", "reject", "share")) {
      List<String> lines = new ArrayList<>(List.of(stored));
      lines.add("aim.key.missing=" + missing);
      lines.add("each.key.missing=" + missing);
      Limits ever = limits(lines.toArray(String[]::new)).ever();
      assertThat(ever.homed().stream().anyMatch(each -> each.match().matches(AIMLESS)))
          .isEqualTo(missing.equals("share"));
      assertThat(ever.homed()).anyMatch(each -> each.match().matches(AIMED));
    }
  }

  /** While a limit changes from reject to share, the events of both times are sent home. */
  @Test
  void aPlannedChangeToShareSendsEventsHome() {
    LimitsInForce limits =
        limits(
            "each.match.action=x",
            "each.key=target",
            "aim.backend=state-store",
            "aim.key.missing=reject");
    LimitsInForce changing = revised(limits, "'set':{'key.missing':'share'}");

    assertThat(limits.ever().homed()).noneMatch(each -> each.match().matches(AIMLESS));
    assertThat(changing.ever().homed()).anyMatch(each -> each.match().matches(AIMLESS));
  }

  @Test
  void aLimitWhoseEventsAllHaveTheKeyIsNotLookedAt() {
    assertThat(limits("aim.key=userId").hasOptionalKeys()).isFalse();
    assertThat(limits("aim.match.target=*").hasOptionalKeys()).isFalse();
    assertThat(limits("aim.match.target=!bob").hasOptionalKeys()).isTrue();
    assertThat(limits().optionalKeys(NOW_MS))
        .extracting(each -> each.limit().name())
        .containsExactly("aim");
  }

  @Test
  void aProgramsCallWithoutTheKeyIsTreatedAlike() {
    assertThat(limits().matching("aim", AIMLESS, NOW_MS).settled()).contains(Verdict.exempt());
    assertThat(limits("aim.key.missing=share").matching("aim", AIMLESS, NOW_MS).settled())
        .isEmpty();
    assertThat(limits("aim.key.missing=reject").matching("aim", AIMLESS, NOW_MS).settled())
        .hasValueSatisfying(verdict -> assertThat(verdict.kind()).isEqualTo(Verdict.Kind.REJECTED));
  }

  /** Release 0.2 shares one count among events without the key; it has no setting key.missing. */
  @Test
  void aLimitThatSharesHasTheDigestOfTheReleaseBefore() {
    String digest = limits("aim.key.missing=share").digest(NOW_MS);

    assertThat(digest).isEqualTo("84c92677df9d37ab77c2a0f1414f0f06");
    assertThat(limits().digest(NOW_MS))
        .isNotEqualTo(digest)
        .isEqualTo(limits("aim.key.missing=skip").digest(NOW_MS))
        .isNotEqualTo(limits("aim.key.missing=reject").digest(NOW_MS));
    assertThat(limits("aim.key.missing=reject").digest(NOW_MS)).isNotEqualTo(digest);
    assertThat(limits("aim.match.target=*").digest(NOW_MS))
        .isEqualTo("918ef8f5089d6f25e1ba6e3f8d4a260a");
  }
}
