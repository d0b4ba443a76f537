package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.topology.Harness.Out;
import java.util.List;
import java.util.regex.Matcher;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of text with unpaired surrogates, which JSON can express and UTF-8 cannot: it must not
 * share a count with other text.
 */
class SurrogatesTest {
  private static final String[] LIMITS = {
    "sluice.limits=l,place",
    "sluice.limit.l.match.action=post",
    "sluice.limit.l.quota=1/60s",
    "sluice.limit.l.algorithm=sliding-window-log",
    "sluice.limit.place.match.action=place",
    "sluice.limit.place.key=userId,attributes.place",
    "sluice.limit.place.quota=1/60s"
  };

  private static void send(Harness harness, String json) {
    harness.send(json.replace('\'', '"').getBytes(UTF_8), new RecordHeaders());
  }

  private static List<String> ids(List<Out> out) {
    return out.stream().map(each -> each.text().split("\"", 5)[3]).toList();
  }

  @Test
  void halvesOfPairsAreDeadLettersAndTheQuestionMarkHasACountOfItsOwn() {
    try (Harness harness = new Harness(LIMITS)) {
      for (String each : List.of("a:\\ud800", "b:\\ud801", "c:?", "d:?", "e:x\\ud83d\\ude00")) {
        String[] pair = each.split(":");
        send(
            harness,
            "{'eventId':'%s','userId':'%s','action':'post','occurredAt':%d}"
                .formatted(pair[0], pair[1], Harness.NOON_MS));
      }
      assertThat(harness.deadLetters())
          .hasSize(2)
          .allSatisfy(
              letter ->
                  assertThat(letter.header("sluice-error"))
                      .isEqualTo(
                          "userId contains half of a surrogate pair, which UTF-8 cannot encode"));
      assertThat(ids(harness.allowed())).containsExactly("c", "e");
      assertThat(harness.rejected())
          .singleElement()
          .satisfies(out -> assertThat(out.header("sluice-reason")).isEqualTo("over-limit"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\\ud800", "x\\udfff", "\\udc00\\ud800", "\\ud800\\ud800\\udc00", "\\uD83D."})
  void noFieldMayHoldThem(String text) {
    try (Harness harness = new Harness(LIMITS)) {
      for (String field : List.of("eventId", "userId", "action", "target")) {
        String sound = "{'eventId':'e','userId':'u','action':'post','target':'t'}";
        send(
            harness,
            sound.replaceFirst("(?<='" + field + "':')[a-z]+", Matcher.quoteReplacement(text)));
        assertThat(harness.deadLetters())
            .singleElement()
            .satisfies(
                letter ->
                    assertThat(letter.header("sluice-error")).startsWith(field + " contains half"));
      }
      assertThat(harness.allowed()).isEmpty();
    }
  }

  /** Encoded surrogates are invalid UTF-8, but parsers accept them. */
  @Test
  void neitherMayTheirBytes() {
    try (Harness harness = new Harness(LIMITS)) {
      byte[] value = "{\"userId\":\"...\",\"action\":\"post\"}".getBytes(UTF_8);
      System.arraycopy(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, 0, value, 11, 3);
      harness.send(value, new RecordHeaders());
      assertThat(harness.deadLetters()).hasSize(1);
      assertThat(harness.allowed()).isEmpty();
    }
  }

  @Test
  void anAttributeThatNothingIsCountedByMayHoldThem() {
    try (Harness harness = new Harness(LIMITS)) {
      send(
          harness,
          "{'eventId':'a','userId':'u','action':'post','attributes':{'text':'cut \\ud83d'}}");
      assertThat(ids(harness.allowed())).containsExactly("a");
    }
  }

  @Test
  void anAttributeThatIsCountedByMayNot() {
    try (Harness harness = new Harness(LIMITS)) {
      String event =
          "{'eventId':'%s','userId':'u','action':'place','attributes':{'place':'%s','more':'1'}}";
      send(harness, event.formatted("a", "\\ud800"));
      send(harness, event.formatted("b", "?"));
      assertThat(harness.deadLetters())
          .singleElement()
          .satisfies(
              letter ->
                  assertThat(letter.header("sluice-error"))
                      .isEqualTo(
                          "attributes.place contains half of a surrogate pair, which UTF-8 cannot"
                              + " encode"));
      assertThat(ids(harness.allowed())).containsExactly("b");
    }
  }
}
