package io.sluice.rules.revision;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.event.Field;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.schemas.LimitRevisionCodec;
import io.sluice.testing.Mutator;
import io.sluice.testing.TestScale;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RevisionReaderTest {
  private static final String JSON =
      "{\"id\":\"5d1b\",\"limit\":\"reply\",\"for\":{\"userId\":\"shop-7\",\"attributes.x\":\"ä\"},"
          + "\"effectiveAt\":1700000000000,\"until\":1700600000000,"
          + "\"set\":{\"burst\":null,\"quota\":\"100/60s\"},\"by\":\"ada\",\"note\":\"launch\"}";
  private static final LimitRevision WHAT_IT_SAYS =
      new LimitRevision(
          "5d1b",
          "reply",
          Scope.of(Map.of(Field.parse("attributes.x"), "ä", Field.USER_ID, "shop-7")),
          new Settings(Map.of("quota", "100/60s"), Set.of("burst")),
          1_700_000_000_000L,
          1_700_600_000_000L,
          "ada",
          "launch");

  private final RevisionReader reader = new RevisionReader();

  @Test
  void jsonIsReadAndWrittenInTheOrderOfTheManual() throws UnreadableRevisionException {
    assertThat(read("5d1b", JSON)).isEqualTo(WHAT_IT_SAYS);
    assertThat(RevisionReader.json(WHAT_IT_SAYS)).isEqualTo(JSON);
  }

  @Test
  void avroSaysTheSame() throws UnreadableRevisionException {
    assertThat(reader.ofRecord("5d1b".getBytes(UTF_8), avro(), 7)).isEqualTo(WHAT_IT_SAYS);
  }

  private static byte[] avro() {
    Map<String, String> set = new HashMap<>();
    set.put("quota", "100/60s");
    set.put("burst", null);
    return LimitRevisionCodec.encode(
        io.sluice.schemas.LimitRevision.newBuilder()
            .setId("5d1b")
            .setLimit("reply")
            .setFor$(Map.of("userId", "shop-7", "attributes.x", "ä"))
            .setEffectiveAt(Instant.ofEpochMilli(1_700_000_000_000L))
            .setUntil(Instant.ofEpochMilli(1_700_600_000_000L))
            .setSet(set)
            .setBy("ada")
            .setNote("launch")
            .build());
  }

  @Test
  void theRecordSaysWhatTheValueLeavesOut() throws UnreadableRevisionException {
    LimitRevision sparse = read("k", "{\"limit\":\"reply\",\"set\":{\"burst\":15,\"reset\":true}}");

    assertThat(sparse.id()).isEqualTo("k");
    assertThat(sparse.effectiveAtMs()).isEqualTo(7);
    assertThat(sparse.untilMs()).isEqualTo(LimitRevision.FOR_GOOD);
    assertThat(sparse.set().texts()).isEqualTo(Map.of("burst", "15", "reset", "true"));
    assertThat(read(sparse.id(), RevisionReader.json(sparse))).isEqualTo(sparse);
  }

  @Test
  void linesOfAFileAreInTheirOrder() throws UnreadableRevisionException {
    String line = " {\"limit\":\"reply\",\"effectiveAt\":\"2023-11-14T22:13:20Z\",\"set\":{}}";

    LimitRevision second = reader.ofLine(line, 2);
    LimitRevision tenth = reader.ofLine(line, 10);
    assertThat(second.effectiveAtMs()).isEqualTo(1_700_000_000_000L);
    assertThat(LimitRevision.ORDER.compare(second, tenth)).isNegative();
    assertThatThrownBy(() -> reader.ofLine("{\"limit\":\"reply\",\"set\":{}}", 1))
        .hasMessage("effectiveAt: missing; the time when it begins");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'id':'x','limit':'a'}             | id=x: it must be the record's key, k
          {}                                 | limit: missing; a limit's name, or *
          {'limit':'a b'}                    | limit=a b: a limit's name is letters, digits, - and _, or * for all limits
          {'limit':'a','untill':5}           | untill: unknown; did you mean until?
          {'limit':'a','limit':'b'}          | limit: is there twice
          {'limit':'a','set':{'b':'1','b':null}} | set.b: is there twice
          {'limit':'a','set':'b'}            | set=b: an object, such as {"userId":"shop-7"}
          {'limit':'a','set':{'b':[]}}       | set.b=[: a text, or null
          {'limit':'a','for':{'user':'b'}}   | for.user=b: a field is userId, action, target, topic or attributes.X
          {'limit':'a','for':{'userId':''}}  | for.userId=: a value has 1 to 1000 characters
          {'limit':'a','for':{'userId':true}} | for.userId=true: a text
          {'limit':'a','effectiveAt':1700000000} | effectiveAt=1700000000: looks like seconds and must be epoch milliseconds
          {'limit':'a','until':-1}           | until=-1: epoch milliseconds in the years 1970 to 2200
          {'limit':'a','until':99999999999999999999} | until=99999999999999999999: epoch milliseconds in the years 1970 to 2200
          {'limit':'a','until':'noon'}       | until=noon: epoch milliseconds, or ISO-8601 such as 2026-11-21T09:00:00Z
          {'limit':'a','note':'a\\u000ab'}   | note=a b: no control characters
          {'limit':'a','by':'\\ud800'}       | by=?: must not contain half of a surrogate pair
          {'limit':'a'} {}                   | bad JSON: more than one object
          [1]                                | unknown format: the first byte is 5B, not C3 (Avro) or { (JSON)
          """)
  void whatIsWrongIsSaidInOneLine(String json, String why) {
    assertThatThrownBy(() -> read("k", json.replace('\'', '"')))
        .isInstanceOf(UnreadableRevisionException.class)
        .hasMessage(why);
  }

  @Test
  void nothingIsLongerThanIsSaid() {
    String longText = "x".repeat(5_000);
    for (String json :
        List.of(
            "{\"limit\":\"a\",\"set\":{\"b\":\"" + longText + "\"}}",
            "{\"limit\":\"a\",\"set\":{\"" + longText + "\":\"b\"}}",
            "{\"limit\":\"a\",\"for\":{\"userId\":\"" + longText + "\"}}",
            "{\"limit\":\"a\",\"for\":{\"attributes." + longText + "\":\"b\"}}",
            "{\"limit\":\"a\",\"note\":\"" + longText + "\"}",
            "{\"limit\":\"" + longText + "\"}",
            "{\"" + longText + "\":1}",
            "{\"limit\":\"a\",\"set\":{" + many("s", 51) + "}}",
            "{\"limit\":\"a\",\"for\":{" + many("attributes.a", 11) + "}}",
            "{\"note\":\"" + "x".repeat(70_000) + "\"}")) {
      assertThatThrownBy(() -> read("k", json))
          .isInstanceOf(UnreadableRevisionException.class)
          .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(400));
    }
    assertThatThrownBy(() -> reader.ofRecord(longText.getBytes(UTF_8), avro(), 0))
        .hasMessageStartingWith("key=");
    assertThatThrownBy(() -> reader.ofRecord(new byte[] {(byte) 0xff}, avro(), 0))
        .hasMessageStartingWith("key: not UTF-8");
    assertThatThrownBy(() -> reader.ofRecord(null, avro(), 0)).hasMessageStartingWith("key:");
  }

  private static String many(String name, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ",").append('"').append(name).append(i).append("\":\"v\"");
    }
    return text.toString();
  }

  static LongStream seeds() {
    return TestScale.seeds(1, 20);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  @Timeout(value = 2, unit = java.util.concurrent.TimeUnit.MINUTES)
  void damagedBytesAreReadOrRefusedAndNothingElse(long seed) {
    Mutator mutator =
        new Mutator(
            new SplittableRandom(seed),
            List.of(JSON.getBytes(UTF_8), avro()),
            "null",
            "{",
            "[[[[",
            "\\ud800",
            "\\u0000",
            "1e999",
            "99999999999999999999",
            "\"set\":{",
            "\"for\":{\"userId\":\"a\"},",
            "*");
    int sound = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = mutator.next();
      try {
        LimitRevision read = reader.ofRecord("5d1b".getBytes(UTF_8), bytes, 7);
        assertThat(read("5d1b", RevisionReader.json(read))).isEqualTo(read);
        assertThat(RevisionCheck.refusal(read)).doesNotContain("\n");
        sound++;
      } catch (UnreadableRevisionException e) {
        assertThat(e.getMessage())
            .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Cs}]")
            .hasSizeLessThan(1_000);
      }
    }
    assertThat(sound).as("those that are sound all the same").isGreaterThan(100);
  }

  private LimitRevision read(String key, String json) throws UnreadableRevisionException {
    return reader.ofRecord(key.getBytes(UTF_8), json.getBytes(UTF_8), 7);
  }
}
