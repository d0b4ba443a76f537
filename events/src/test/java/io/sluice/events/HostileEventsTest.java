package io.sluice.events;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.testing.TestScale;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Events that a producer has made to harm: each is read, or is a dead letter with a short reason.
 */
class HostileEventsTest {
  private static final int MANY = 1_000_000;
  private static final int LONGEST_REASON = 2_000;

  private final EventDecoder decoder =
      decoder(
          Map.of(Role.USER, "u // $key // $headers.h"),
          Map.of(
              "net", "ip | ip(24,64)",
              "inner", "payload | json | a.b[0] | lower | prefix(3)",
              "size", "list | count",
              "n", "number | number"));

  private static EventDecoder decoder(Map<Role, String> fields, Map<String, String> attributes) {
    EventSelectors selectors =
        EventSelectors.of(fields, attributes, EventSelectors.ValueRules.DEFAULT);
    return EventDecoder.of(TopicSelectors.same(selectors), SchemaConfig.NONE, List.of("in"));
  }

  private Event read(String json) throws UnreadableEventException {
    return decoder.decode(RawRecord.ofValue(json.getBytes(UTF_8), Origin.of("in", 0, 1), 7));
  }

  private void refused(String json, String why) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(UnreadableEventException.class)
        .hasMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(LONGEST_REASON));
  }

  private static String event(String more) {
    return "{\"u\":\"ada\",\"action\":\"post\"," + more + "}";
  }

  @ParameterizedTest
  @ValueSource(strings = {"unread", "u", "list", "attributes", "payload"})
  void deepValuesAreRefused(String field) {
    String open = "[".repeat(MANY / 2);
    refused(
        "{\"action\":\"post\",\"" + field + "\":" + open + "]".repeat(MANY / 2) + "}",
        "nesting depth");
    String objects = "{\"a\":".repeat(MANY / 2);
    refused(
        "{\"action\":\"post\",\"" + field + "\":" + objects + "1" + "}".repeat(MANY / 2) + "}",
        "nesting depth");
  }

  @ParameterizedTest
  @ValueSource(strings = {"unread", "u", "cost", "occurredAt", "number"})
  void numbersOfManyDigitsAreRefused(String field) {
    refused(
        "{\"action\":\"post\",\"" + field + "\":" + "9".repeat(MANY) + "}", "Number value length");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1e500000000", "1e100000000", "-1e-500000000", "1e101"})
  void largeExponentsAreNotWrittenOut(String number) throws UnreadableEventException {
    refused(event("\"number\":" + number), "too many digits");
    refused("{\"u\":" + number + ",\"action\":\"post\"}", "too many digits");
    refused(event("\"payload\":\"{\\\"a\\\":{\\\"b\\\":[" + number + "]}}\""), "too many digits");
    refused(event("\"cost\":" + number), "cost must be a whole number");
    refused(event("\"cost\":\"" + number + "\""), "cost must be a whole number");
    refused(event("\"occurredAt\":" + number), "occurredAt is out of range");
    assertThat(read(event("\"attributes\":{\"a\":" + number + "}")).attributeFaults())
        .containsKey("a");
  }

  @Test
  void manyDigitsInTextAreRefusedOrMissing() throws UnreadableEventException {
    String many = "\"" + "9".repeat(MANY) + "\"";
    refused(event("\"occurredAt\":" + many), "has too many digits");
    assertThat(read(event("\"number\":" + many)).attribute("n")).isEmpty();
    refused(event("\"cost\":" + many), "cost must be a whole number");
  }

  @Test
  void textInTextIsBoundedToo() throws UnreadableEventException {
    String deep = RandomSelectors.quoted("[".repeat(MANY));
    refused(event("\"payload\":" + deep), "nesting depth");
    refused(event("\"payload\":\"{\\\"a\\\":1,\\\"a\\\":2}\""), "a occurs twice in one object");
    refused(event("\"payload\":\"\""), "has no JSON");
    assertThat(
            read(event("\"payload\":\"{\\\"a\\\":{\\\"b\\\":[\\\"ABCDE\\\"]}}\""))
                .attribute("inner"))
        .isEqualTo("abc");
  }

  @Test
  void manyCombiningMarksAreRefused() {
    EventDecoder normalised = decoder(Map.of(Role.USER, "u | nfc"), Map.of());
    String marks = "\u0301".repeat(MANY / 4) + "\u0323".repeat(MANY / 4);
    String json = "{\"action\":\"post\",\"u\":\"a" + marks + "\"}";
    RawRecord record = RawRecord.ofValue(json.getBytes(UTF_8), Origin.of("in", 0, 1), 7);

    assertThatThrownBy(() -> normalised.decode(record))
        .hasMessage("u | nfc: nfc needs text of up to 1,000 characters");
  }

  @Test
  void manyFieldsAndElementsAreRead() throws UnreadableEventException {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < MANY / 10; i++) fields.append("\"f").append(i).append("\":1,");
    String list = "[" + "1,".repeat(MANY) + "1]";
    Event event = read(event(fields + "\"list\":" + list));
    assertThat(event.attribute("size")).isEqualTo(Integer.toString(MANY + 1));
  }

  @Test
  void keysAndHeadersMustBeUtf8() throws UnreadableEventException {
    byte[] torn = {(byte) 0xc3};
    byte[] value = "{\"action\":\"post\"}".getBytes(UTF_8);
    RecordHeaders headers = new RecordHeaders();
    headers.add("h", torn);
    Origin origin = Origin.of("in", 0, 1);
    for (RawRecord record :
        List.of(
            new RawRecord(torn, value, new RecordHeaders(), origin, 7),
            new RawRecord(null, value, headers, origin, 7))) {
      assertThatThrownBy(() -> decoder.decode(record)).hasMessageEndingWith("is not UTF-8");
    }
    headers.add("h", null);
    assertThatThrownBy(() -> decoder.decode(new RawRecord(null, value, headers, origin, 7)))
        .hasMessageEndingWith("is missing");
    headers.add("h", "bob".getBytes(UTF_8));
    assertThat(decoder.decode(new RawRecord(null, value, headers, origin, 7)).userId())
        .isEqualTo("bob");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Élan", "{hello", "\u0000\u0001", "[1]", "text", "{\"a\":1} {}"})
  void aValueOfAnyFormatHasNoFieldsIfTheOthersAreOutside(String value)
      throws UnreadableEventException {
    EventDecoder outside =
        decoder(
            Map.of(Role.USER, "$key", Role.ACTION, "$headers.type"),
            Map.of("net", "ip | ip(24,64)"));
    RecordHeaders headers = new RecordHeaders();
    headers.add("type", "post".getBytes(UTF_8));
    byte[] bytes = value.getBytes(value.startsWith("É") ? ISO_8859_1 : UTF_8);
    Event event =
        outside.decode(
            new RawRecord("ann".getBytes(UTF_8), bytes, headers, Origin.of("in", 0, 1), 7));

    assertThat(event.userId() + event.action() + event.attribute("net")).isEqualTo("annpost");
  }

  @Test
  void damagedBytesAreReadOrRefused() {
    SplittableRandom random = new SplittableRandom(TestScale.seed());
    RandomSelectors documents = new RandomSelectors(random);
    for (int i = TestScale.of(20_000, 1_000_000); i > 0; i--) {
      String json =
          "{\"u\":\"ada\",\"action\":\"post\",\"attributes\":" + documents.document() + "}";
      byte[] bytes = json.getBytes(UTF_8);
      for (int j = random.nextInt(3); j >= 0; j--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        decoder.decode(RawRecord.ofValue(bytes, Origin.of("in", 0, 1), 7));
      } catch (UnreadableEventException e) {
        assertThat(e.getMessage()).doesNotContain("unreadable:").hasSizeLessThan(LONGEST_REASON);
      }
    }
  }
}
