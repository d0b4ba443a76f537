package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.testing.TestScale;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Compares compiled selectors with a simple interpreter, on random documents. */
class SelectorFuzzTest {
  private static final int DOCUMENTS = 100;

  @Test
  void compiledSelectorsGiveWhatAnInterpreterGives() {
    long seed = TestScale.seed();
    SplittableRandom random = new SplittableRandom(seed);
    RandomSelectors selectors = new RandomSelectors(random);
    for (long i = TestScale.of(100, 100_000); i > 0; i--) {
      RandomSelectors.Parsed selector = selectors.selector();
      String text = selector.text(random);
      EventDecoder decoder = decoder(text);
      for (int j = 0; j < DOCUMENTS; j++) compare(selector, text, decoder, selectors, seed);
    }
  }

  private static void compare(
      RandomSelectors.Parsed selector,
      String text,
      EventDecoder decoder,
      RandomSelectors random,
      long seed) {
    String document = random.document();
    String json = document.replaceFirst("\\{", "{\"userId\":\"u\",\"action\":\"a\",");
    json = json.replace(",}", "}");
    Map<String, String> outside =
        Map.of(
            "$key", random.text(), "$headers.h", random.text(), "$headers.\"x y\"", random.text());
    Headers headers = new RecordHeaders();
    headers.add("h", outside.get("$headers.h").getBytes(UTF_8));
    headers.add("x y", outside.get("$headers.\"x y\"").getBytes(UTF_8));
    Map<String, JsonNode> nodes = new HashMap<>();
    outside.forEach((name, value) -> nodes.put(name, JsonInterpreter.textNode(value)));
    nodes.put("$topic", JsonInterpreter.textNode("in"));
    nodes.put("$timestamp", JsonInterpreter.numberNode(7));

    RawRecord record =
        new RawRecord(
            outside.get("$key").getBytes(UTF_8),
            json.getBytes(UTF_8),
            headers,
            Origin.of("in", 0, 1),
            7);
    assertThat(read(decoder, record))
        .as("seed %d, %s of %s with %s", seed, text, json, outside)
        .isEqualTo(new JsonInterpreter(json, nodes).text(selector));
  }

  private static String read(EventDecoder decoder, RawRecord record) {
    try {
      Event event = decoder.decode(record);
      return event.attribute("x");
    } catch (UnreadableEventException e) {
      assertThat(e.kind()).as(e.getMessage()).isEqualTo(FaultKind.INVALID_FIELD);
      return JsonInterpreter.INVALID;
    }
  }

  private static EventDecoder decoder(String selector) {
    EventSelectors selectors =
        EventSelectors.of(
            Map.of(Role.TIME, "", Role.COST, "", Role.ATTRIBUTES, ""),
            Map.of("x", selector),
            EventSelectors.ValueRules.DEFAULT);
    return EventDecoder.of(TopicSelectors.same(selectors), SchemaConfig.NONE, List.of("in"));
  }
}
