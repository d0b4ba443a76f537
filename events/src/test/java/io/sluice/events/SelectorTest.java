package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "userId",
        "user.id // anonymousId // context.ip",
        "email|trim|nfc|lower",
        "$headers.ce_subject",
        "$headers.\"x-user.id\"",
        "$key",
        "$key | json | user.id",
        "payload | json | user.id | lower",
        "payload | json | \"lower\"",
        "recipients | count",
        "recipients[].address",
        "recipients[] | count",
        "to[0]",
        "matrix[1][2].x",
        "context.ip | ip(24, 64)",
        "\"user.id\"",
        "\"say \\\"hi\\\"\"",
        "email | before(\"@\") | after(\".\") | prefix(3)",
        "größe",
        "2fa-id",
        "  userId  "
      })
  void theseAreSelectors(String text) {
    assertThat(Selector.parse(text).text()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          user, id ! at character 5: ',' where //, | or the end is expected; a name of other characters
          ip/24 ! at character 3: '/' where //, | or the end is expected
          > userId ! at character 1: '>' where a name is expected
          a. ! at character 3: the selector ends where a name is expected
          .a ! at character 1: '.' where a name is expected
          a..b ! at character 3: '.' where a name is expected
          a b ! at character 3: 'b' where //, | or the end is expected
          a // ! at character 5: the selector ends where a name is expected
          a | ! at character 4: the selector ends where a function or a path is expected
          userId | lowr ! at character 10: lowr is not a function; functions are lower, trim,
          userId | id.x ! at character 10: a path may only follow json
          userId | lower() ! at character 16: ')' where a number or a text is expected
          userId | lower(1) ! at character 10: lower takes no arguments
          $user ! at character 1: $user is unknown: $key, $headers, $topic or $timestamp
          $key.id ! at character 1: $key is text, without fields; if it has JSON: $key | json
          $headers ! at character 1: $headers needs one name, such as $headers.ce_id
          $headers.a.b ! at character 1: $headers needs one name
          a[ ! at character 3: the selector ends where an index
          a[-1] ! at character 3: '-' where an index
          a[10000] ! at character 3: an index from 0 to 9999, or [] is expected
          a[0 ! at character 4: the selector ends where ]
          "a ! at character 1: the double quote has no end
          x | ip(24) ! at character 5: ip takes no arguments, or two numbers of bits
          x | ip(33,64) ! at character 8: an address has 32 bits at most
          x | ip(24,129) ! at character 11: an address has 128 bits at most
          x | prefix ! at character 5: prefix needs a number of characters
          x | prefix(0) ! at character 5: prefix needs a number of characters
          x | before(@) ! at character 12: '@' where a number or a text is expected
          x | before("") ! at character 5: before needs a text in double quotes
          x[] | json ! at character 7: json cannot be applied to []
          x[] | lower | number ! at character 15: number cannot be applied to []
          x | json | a | b ! at character 16: b is not a function
          """)
  void aMistakeNamesThePlace(String text, String why) {
    assertThatThrownBy(() -> Selector.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why);
  }

  @Test
  void aSelectorIsNotEndless() {
    assertThatThrownBy(() -> Selector.parse("a".repeat(1_001)))
        .hasMessage("a selector has at most 1,000 characters");
  }

  @Test
  void aListIsNoSingleValue() {
    assertThatThrownBy(() -> EventSelectors.parse(Role.USER, "to[].address"))
        .hasMessageStartingWith("a list has no single value");
    assertThat(EventSelectors.parse(Role.COST, "to[].address | count").givesList()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          email | trim | lower ! ` Ann@Example.com ` ! ann@example.com
          context.ip | ip(24,64) ! 10.1.2.3 ! 10.1.2.0/24
          context.ip | ip(24,64) ! 10.1.2.0/24 ! 10.1.2.0/24
          email | after("@") ! ann@example.com ! example.com
          email | after("@") ! example.com ! example.com
          payload | json | user.id | lower ! ANN ! ann
          email | sha256 ! ann ! 49915e0d7d4b402e3017d010bc1c0e83cac6c797d6c16e66340fe3268693a6a1
          userId ! Ann ! Ann
          """)
  void aTypedKeyGetsTheFormOfEvents(String selector, String typed, String form) {
    assertThat(Selector.parse(selector).keyForm(typed)).isEqualTo(form);
  }

  @Test
  void aKeyThatIsADigestStays() {
    Selector selector = Selector.parse("email | lower | sha256");
    String digest = selector.keyForm("Ann@Example.com");

    assertThat(digest)
        .isEqualTo("71d4f55f72fa128dfb468a1a3901507c804b74316488744d769d7f4b16696476");
    assertThat(selector.keyForm(digest)).isEqualTo(digest);
  }
}
