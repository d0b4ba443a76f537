package io.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainTextTest {
  /**
   * ESC, BEL, CSI and OSC of C1, DEL, changes of direction, half a pair, separators, a hidden tag.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u001b",
        "\u0007",
        "\u009b",
        "\u009d",
        "\u007f",
        "\u0085",
        "\n",
        "\r",
        "\t",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\u2028",
        "\u2029",
        "\ud83d",
        "\udca9",
        "\udb40\udc41"
      })
  void aCharacterThatIsNotSeenIsAQuestionMark(String unseen) {
    assertThat(PlainText.of("a" + unseen + "b")).isEqualTo("a?b");
    assertThat(PlainText.message("a" + unseen + "b")).matches("a[? ]b");
  }

  @Test
  void otherTextsStay() {
    String text = "Zoë said: 漢字, \ud83d\ude00, \\u001b and {}";
    assertThat(PlainText.of(text)).isEqualTo(text);
    assertThat(PlainText.message(text)).isEqualTo(text);
    assertThat(PlainText.json(text)).isEqualTo(text);
  }

  @Test
  void aLongTextIsCutAndNotWithinAPair() {
    assertThat(PlainText.of("u".repeat(5_000))).isEqualTo("u".repeat(100) + "...");
    assertThat(PlainText.of("u".repeat(100))).hasSize(100);
    assertThat(PlainText.of("uu\ud83d\ude00u", 3)).isEqualTo("uu...");
    assertThat(PlainText.message("u ".repeat(5_000))).hasSize(4_003);
  }

  @Test
  void aMessageOfSeveralLinesIsOne() {
    assertThat(PlainText.message("bad:\r\n\tat 3\u2028end")).isEqualTo("bad: at 3 end");
  }

  @Test
  void jsonKeepsItsMeaning() {
    assertThat(PlainText.json("{\"a\":\"\u009b2J\u202e\ud83d\ude00\"}\n"))
        .isEqualTo("{\"a\":\"\\u009b2J\\u202e\ud83d\ude00\"}\n");
    assertThat(PlainText.json("\udb40\udc41")).isEqualTo("\\udb40\\udc41");
  }
}
