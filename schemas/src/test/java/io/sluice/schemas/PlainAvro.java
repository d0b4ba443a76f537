package io.sluice.schemas;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;

/** Codec of a program that has only Avro and the published schema, and nothing of this module. */
final class PlainAvro {
  private static final Schema SCHEMA = PublishedSchemas.load("UserAction").get(0);

  private final BinaryMessageEncoder<GenericRecord> encoder =
      new BinaryMessageEncoder<>(GenericData.get(), SCHEMA);
  private final BinaryMessageDecoder<GenericRecord> decoder =
      new BinaryMessageDecoder<>(GenericData.get(), SCHEMA);

  byte[] encode(UserAction action) throws IOException {
    GenericRecord record = new GenericData.Record(SCHEMA);
    record.put("eventId", action.getEventId());
    record.put("userId", action.getUserId());
    record.put("action", action.getAction());
    record.put("occurredAt", action.getOccurredAt().toEpochMilli());
    record.put("cost", action.getCost());
    record.put("target", action.getTarget().orElse(null));
    record.put("attributes", action.getAttributes());
    ByteBuffer encoded = encoder.encode(record);
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  UserAction decode(byte[] bytes) throws IOException {
    GenericRecord record = decoder.decode(bytes);
    Map<String, String> attributes = new HashMap<>();
    ((Map<?, ?>) record.get("attributes"))
        .forEach((name, value) -> attributes.put(name.toString(), value.toString()));
    Object target = record.get("target");
    return new UserAction(
        record.get("eventId").toString(),
        record.get("userId").toString(),
        record.get("action").toString(),
        Instant.ofEpochMilli((Long) record.get("occurredAt")),
        (Long) record.get("cost"),
        target == null ? null : target.toString(),
        attributes);
  }
}
