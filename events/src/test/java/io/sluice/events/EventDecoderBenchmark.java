package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the time to decode an event, by format and selectors: the best of ten rounds for each
 * variant, which take turns, so that a slow moment of the machine concerns all of them.
 */
final class EventDecoderBenchmark {
  private static final int ROUNDS = 14;
  private static final int WARM = 4;
  private static final int EVENTS = 300_000;
  private static final Origin ORIGIN = Origin.of("user-actions", 0, 17);
  private static final byte[] JSON =
      ("{\"eventId\":\"e12345\",\"userId\":\"user-17\",\"action\":\"reply\",\"occurredAt\":1700000000000,"
              + "\"cost\":1,\"target\":\"bob\",\"attributes\":{\"country\":\"nz\",\"ip\":\"2001:db8:0:1::17\"},"
              + "\"text\":\"hello world\",\"email\":\" Ann@Example.com\"}")
          .getBytes(UTF_8);

  private static long sum; // keeps the results alive

  private record Variant(byte[] value, EventDecoder decoder) {}

  private EventDecoderBenchmark() {}

  private static Variant variant(
      byte[] value, Map<Role, String> fields, Map<String, String> named) {
    EventSelectors selectors = EventSelectors.of(fields, named, ValueRules.DEFAULT);
    return new Variant(
        value,
        EventDecoder.of(
            TopicSelectors.same(selectors), SchemaConfig.NONE, List.of("user-actions")));
  }

  private static byte[] avro() {
    return UserActionCodec.encode(
        UserAction.newBuilder()
            .setEventId("e12345")
            .setUserId("user-17")
            .setAction("reply")
            .setOccurredAt(Instant.ofEpochMilli(1_700_000_000_000L))
            .setTarget("bob")
            .setAttributes(Map.of("country", "nz"))
            .build());
  }

  public static void main(String[] args) throws UnreadableEventException {
    Map<String, Variant> variants = new LinkedHashMap<>();
    variants.put("UserAction in Avro", variant(avro(), Map.of(), Map.of()));
    variants.put("JSON, default selectors", variant(JSON, Map.of(), Map.of()));
    variants.put(
        "JSON, an attribute more, without a function",
        variant(JSON, Map.of(), Map.of("net", "attributes.ip")));
    variants.put(
        "JSON, attributes.ip | ip(24,64)",
        variant(JSON, Map.of(), Map.of("net", "attributes.ip | ip(24,64)")));
    variants.put(
        "JSON, email | trim | nfc | lower",
        variant(JSON, Map.of(Role.USER, "email | trim | nfc | lower"), Map.of()));
    Map<String, Double> best = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Map.Entry<String, Variant> each : variants.entrySet()) {
        double ns = nanos(each.getValue());
        if (round >= WARM) best.merge(each.getKey(), ns, Math::min);
      }
    }
    best.forEach((name, ns) -> System.out.printf("%-45s %5.0f ns%n", name, ns));
  }

  private static double nanos(Variant variant) throws UnreadableEventException {
    long beginNanos = System.nanoTime();
    for (int i = 0; i < EVENTS; i++) {
      Event event = variant.decoder.decode(RawRecord.ofValue(variant.value, ORIGIN, 5));
      sum += event.userId().length() + event.occurredAtMs() + event.attribute("net").length();
    }
    return (System.nanoTime() - beginNanos) / (double) EVENTS;
  }
}
