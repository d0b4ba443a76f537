package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.RegisteredSchema;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Encodes events in all formats that Sluice reads: JSON, Avro, and Avro with a registered schema.
 */
final class Values {
  private static final int FORMATS = 3;

  /** Length in bytes of the prefix of Avro's single-object encoding: marker and fingerprint. */
  private static final int FINGERPRINTED = 10;

  private Values() {}

  /** Encodes an event in a random format. */
  static byte[] any(Described event, SplittableRandom random) {
    return switch (random.nextInt(FORMATS)) {
      case 0 -> avro(event);
      case 1 -> confluent(RegisteredSchema.ID, event);
      default -> json(event, true, "");
    };
  }

  /**
   * Encodes an event as a JSON object.
   *
   * @param timed whether the object contains the time of the event; else Sluice takes the record's
   *     timestamp
   * @param padding text that increases the size
   */
  static byte[] json(Described event, boolean timed, String padding) {
    StringBuilder json = new StringBuilder("{");
    if (!event.id().isEmpty()) json.append("\"eventId\":\"").append(event.id()).append("\",");
    if (timed) json.append("\"occurredAt\": ").append(event.occurredAtMs()).append(',');
    json.append("\"userId\":\"").append(event.user()).append("\",\"note\":[1,{\"é\":null}],");
    if (!padding.isEmpty()) json.append("\"padding\":\"").append(padding).append("\",");
    json.append("\"action\" : \"").append(event.action()).append("\",");
    json.append("\"cost\":").append(event.cost());
    json.append(",\"target\":\"").append(event.target()).append('"');
    Map<String, String> attributes = attributes(event);
    if (!attributes.isEmpty()) {
      String members =
          attributes.entrySet().stream()
              .map(each -> '"' + each.getKey() + "\":\"" + each.getValue() + '"')
              .collect(Collectors.joining(","));
      json.append(",\"attributes\":{").append(members).append('}');
    }
    return json.append('}').toString().getBytes(UTF_8);
  }

  private static Map<String, String> attributes(Described event) {
    Map<String, String> attributes = new HashMap<>();
    if (!event.priority().isEmpty()) attributes.put("class", event.priority());
    if (!event.tenant().isEmpty()) attributes.put("tenant", event.tenant());
    return attributes;
  }

  static byte[] avro(Described event) {
    return UserActionCodec.encode(
        UserAction.newBuilder()
            .setEventId(event.id())
            .setUserId(event.user())
            .setAction(event.action())
            .setOccurredAt(Instant.ofEpochMilli(event.occurredAtMs()))
            .setCost(event.cost())
            .setTarget(event.target())
            .setAttributes(attributes(event))
            .build());
  }

  /**
   * Encodes an event as Avro with a schema id in front, like serializers with a schema registry.
   */
  static byte[] confluent(int id, Described event) {
    byte[] avro = avro(event);
    int length = avro.length - FINGERPRINTED;
    return ByteBuffer.allocate(1 + Integer.BYTES + length)
        .put((byte) 0)
        .putInt(id)
        .put(avro, FINGERPRINTED, length)
        .array();
  }
}
