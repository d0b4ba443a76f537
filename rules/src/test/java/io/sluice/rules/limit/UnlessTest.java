package io.sluice.rules.limit;

import static io.sluice.rules.event.TestEvent.event;
import static io.sluice.rules.settings.LimitsText.config;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.rules.event.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests of limits that leave events to others: reply is for all, vip for one user, staff for one
 * target.
 */
class UnlessTest {
  private static final Event VIP = event("vip", "reply", "");
  private static final Event STAFF = event("vip", "reply", "staff");
  private static final Event ANN = event("ann", "reply", "");

  @Test
  void aLimitLeavesEventsToAnother() {
    Limits limits = limits("reply.unless=vip");

    assertThat(names(limits, VIP)).containsExactly("vip");
    assertThat(names(limits, ANN)).containsExactly("reply");
    assertThat(limits.all().get(0).match()).hasToString("every event unless vip");
  }

  @Test
  void itMayLeaveThemToSeveral() {
    Limits limits = limits("reply.unless=vip, staff");

    assertThat(names(limits, event("ann", "reply", "staff"))).containsExactly("staff");
    assertThat(names(limits, STAFF)).containsExactly("vip", "staff");
  }

  @Test
  void whatIsNotInForceTakesNothingOver() {
    Limits limits = limits("reply.unless=vip");

    assertThat(names(limits.with(limits.all().subList(0, 1)), VIP)).containsExactly("reply");
  }

  @Test
  void whatTheOtherLeavesOnIsStillLeftToIt() {
    Limits limits = limits("reply.unless=vip", "vip.unless=staff");

    assertThat(names(limits, STAFF)).containsExactly("staff");
    assertThat(names(limits, VIP)).containsExactly("vip");
  }

  @Test
  void aLimitThatOnlyWatchesTakesNothingOverFromOneThatIsEnforced() {
    assertThat(names(limits("reply.unless=vip", "vip.mode=shadow"), VIP))
        .containsExactly("reply", "vip");
    assertThat(names(limits("reply.unless=vip", "reply.mode=shadow"), VIP)).containsExactly("vip");
    assertThat(names(limits("reply.unless=vip", "reply.mode=shadow", "vip.mode=shadow"), VIP))
        .containsExactly("vip");
  }

  @Test
  void inACircleEachHoldsWhatItCovers() {
    Limits limits = limits("reply.unless=vip");
    Limit vip = limits.all().get(1);
    Limit back = vip.with(vip.match().unless(List.of("reply")));
    Limits circle = limits.with(List.of(limits.all().get(0), back));

    assertThat(names(circle, VIP)).containsExactly("reply", "vip");
  }

  @Test
  void whatWaitsInOrderIsNotHeldByALimitThatLeavesIt() {
    Limits limits = limits("reply.unless=vip", "reply.exceeded=delay");

    assertThat(limits.ordered()).singleElement().matches(each -> !each.match().matches(VIP));
    assertThat(limits.ordered()).singleElement().matches(each -> each.match().matches(ANN));
  }

  private static Limits limits(String... lines) {
    List<String> settings = new ArrayList<>();
    settings.add("sluice.limits=reply,vip,staff");
    settings.add("sluice.limit.vip.quota=50/60s");
    settings.add("sluice.limit.vip.match.userId=vip");
    settings.add("sluice.limit.staff.quota=500/60s");
    settings.add("sluice.limit.staff.match.target=staff");
    for (String line : lines) settings.add("sluice.limit." + line);
    return config(settings.toArray(String[]::new)).limits();
  }

  private static List<String> names(Limits limits, Event event) {
    Matching matching = limits.matching(event);
    return Stream.concat(matching.stored().stream(), matching.remote().stream())
        .map(Limit::name)
        .toList();
  }
}
