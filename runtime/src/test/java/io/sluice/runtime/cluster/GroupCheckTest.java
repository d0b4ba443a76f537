package io.sluice.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.runtime.cluster.GroupMembers.Kind;
import io.sluice.runtime.cluster.GroupMembers.Member;
import io.sluice.testing.SettingLines;
import io.sluice.topology.config.SluiceConfig;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GroupCheckTest {
  private static final Member MEMBER = new Member("sluice-7-StreamThread-1-consumer", "/10.0.0.7");

  private final GroupCheck check =
      new GroupCheck("sluice", Kind.CLASSIC, Set.of("user-actions", "delayed-actions"));

  private static GroupMembers group(Kind kind, boolean gathered, String... topics) {
    return new GroupMembers(kind, gathered, List.of(MEMBER), Set.of(topics));
  }

  @Test
  void nobodyAndOneOfItsOwnAreWelcome() {
    assertThat(check.problem(GroupMembers.EMPTY)).isEmpty();
    assertThat(check.problem(group(Kind.CLASSIC, true, "user-actions", "delayed-actions")))
        .isEmpty();
  }

  @Test
  void whoReadsOtherTopicsIsNamedWithThem() {
    Optional<String> problem =
        check.problem(group(Kind.CLASSIC, true, "orders", "delayed-actions"));
    assertThat(problem.orElseThrow())
        .startsWith(
            "application.id=sluice is used by another application: the members of this group"
                + " (sluice-7-StreamThread-1-consumer on 10.0.0.7) read delayed-actions, orders,"
                + " but this instance reads delayed-actions, user-actions.")
        .contains("Set another application.id");
  }

  @Test
  void aMembersTextsAreShownAsOnePlainLine() {
    Member hostile = new Member("a\u001b[2J\n" + "u".repeat(5_000), "/\u202e\u009bhost");
    assertThat(hostile)
        .asString()
        .matches("a\\?\\[2J\\?u+\\.\\.\\. on \\?\\?host")
        .hasSizeLessThan(150);
  }

  @Test
  void whoReadsLessIsAnotherTooOnceTheGroupIsTogether() {
    assertThat(check.problem(group(Kind.CLASSIC, false, "user-actions"))).isEmpty();
    assertThat(check.problem(group(Kind.CLASSIC, true, "user-actions"))).isPresent();
    assertThat(check.problem(group(Kind.CLASSIC, true))).as("nothing is known yet").isEmpty();
  }

  @Test
  void anotherKindOfGroupIsAnothers() {
    for (Kind kind : List.of(Kind.CONSUMERS, Kind.STREAMS)) {
      GroupMembers others = group(kind, true, "user-actions", "delayed-actions");
      assertThat(check.problem(others).orElseThrow()).contains(kind.text);
      assertThat(check.problemWithin(others)).isPresent();
    }
  }

  @Test
  void withinTheGroupTheOneThatLeadsIsRight() {
    assertThat(check.problemWithin(group(Kind.CLASSIC, true, "orders"))).isPresent();
    assertThat(check.problemWithin(group(Kind.CLASSIC, true, "user-actions"))).isEmpty();
  }

  @Test
  void whatIsReadIsWhatTheTopologyReads() {
    assertThat(
            GroupCheck.of(SluiceConfig.of(SettingLines.withLimit()))
                .problem(group(Kind.CLASSIC, true, "x"))
                .get())
        .contains("this instance reads delayed-actions, sluice-home-repartition, user-actions");
    SluiceConfig redis =
        SluiceConfig.of(
            SettingLines.withLimit(
                "sluice.limit.reply.backend=redis", "sluice.redis.uri=redis://localhost"));
    assertThat(GroupCheck.of(redis).problem(group(Kind.CLASSIC, true, "x")).get())
        .contains("this instance reads delayed-actions, user-actions.");
  }
}
