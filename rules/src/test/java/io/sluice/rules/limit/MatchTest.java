package io.sluice.rules.limit;

import static io.sluice.rules.event.TestEvent.event;
import static io.sluice.rules.settings.LimitsText.config;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MatchTest {
  @Test
  void withoutFieldsEveryEventMatches() {
    assertThat(Match.ALL.matches(event("ann", "reply", ""))).isTrue();
    assertThat(Match.ALL).hasToString("every event");
  }

  @Test
  void anyOfTheValuesWillDo() {
    Match match = match("action=reply, post");

    assertThat(match.matches(event("ann", "reply", ""))).isTrue();
    assertThat(match.matches(event("ann", "post", ""))).isTrue();
    assertThat(match.matches(event("ann", "sms", ""))).isFalse();
  }

  @Test
  void allFieldsMustMatch() {
    Match match = match("action=reply", "attributes.country=nz", "target=bob", "userId=ann");

    assertThat(match.matches(event("ann", "reply", "bob"))).isTrue();
    assertThat(match.matches(event("ann", "reply", "eve"))).isFalse();
    assertThat(match.matches(event("eve", "reply", "bob"))).isFalse();
    assertThat(match("attributes.state=on").matches(event("ann", "reply", "bob"))).isFalse();
  }

  @Test
  void twoExcludeEachOtherIfTheyWantDifferentValuesOfAField() {
    Match match = match("action=reply,post", "target=bob");

    assertThat(match.excludes(Match.ALL)).isFalse();
    assertThat(match.excludes(match("action=post,sms"))).isFalse();
    assertThat(match.excludes(match("userId=ann"))).isFalse();
    assertThat(match.excludes(match("action=sms"))).isTrue();
    assertThat(match.excludes(match("action=reply", "target=eve"))).isTrue();
  }

  @Test
  void anEscapedCommaIsPartOfAValue() {
    Match match = match("target=a\\,b,c");

    assertThat(match.matches(event("ann", "reply", "a,b"))).isTrue();
    assertThat(match.matches(event("ann", "reply", "c"))).isTrue();
    assertThat(match.matches(event("ann", "reply", "a"))).isFalse();
  }

  private static Match match(String... lines) {
    String[] keyed = new String[lines.length];
    for (int i = 0; i < lines.length; i++) keyed[i] = "sluice.limit.reply.match." + lines[i];
    return config(keyed).limits().all().get(0).match();
  }
}
