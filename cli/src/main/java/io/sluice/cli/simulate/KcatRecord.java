package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** A record in the form in which {@code kcat -J} prints it: one JSON object in one line. */
final class KcatRecord {
  /*
   * kcat writes the bytes of key, value and headers into the strings as they are, and escapes only
   * control characters, quotes and backslashes. So the strings need not be UTF-8, a JSON parser may
   * refuse them, and read as bytes they are exactly what was in the topic, Avro as well.
   *
   * An object is such a record only if it has all fields that kcat always prints, each once and of
   * its type, and no field that kcat does not print. Reading ends at the first field that says
   * otherwise, which for an event is as a rule its first.
   */
  private static final Set<String> ALWAYS =
      Set.of("topic", "partition", "offset", "key", "payload");

  private final JsonBytes json;
  private final Set<String> seen = new HashSet<>();
  private final RecordHeaders headers = new RecordHeaders();
  private byte[] topic;
  private byte[] key;
  private byte[] payload;
  private long partition;
  private long offset;
  private long timestampMs = ConsumerRecord.NO_TIMESTAMP;

  private KcatRecord(byte[] line) {
    json = new JsonBytes(line);
  }

  /** Reads one; empty if the line is anything else. */
  static Optional<ConsumerRecord<byte[], byte[]>> read(byte[] line) {
    KcatRecord record = new KcatRecord(line);
    return record.readFields() ? Optional.of(record.consumed()) : Optional.empty();
  }

  private boolean readFields() {
    try {
      json.expect('{');
      do {
        String name = new String(json.string(), UTF_8);
        json.expect(':');
        if (!readField(name) || !seen.add(name)) return false;
      } while (json.accept(','));
      json.expect('}');
      json.expectEnd();
      return seen.containsAll(ALWAYS) && topic.length > 0 && isInt(partition) && offset >= 0;
    } catch (JsonBytes.UnexpectedException e) {
      return false;
    }
  }

  private static boolean isInt(long number) {
    return number >= 0 && number <= Integer.MAX_VALUE;
  }

  private boolean readField(String name) throws JsonBytes.UnexpectedException {
    switch (name) {
      case "topic" -> topic = json.string();
      case "partition" -> partition = json.integer();
      case "offset" -> offset = json.integer();
      case "ts" -> timestampMs = json.integer();
      case "key" -> key = json.stringOrNull();
      case "payload" -> payload = json.stringOrNull();
      case "tstype" -> json.string();
      case "broker" -> json.integer();
      case "headers" -> readHeaders();
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Names and values, in turns. */
  private void readHeaders() throws JsonBytes.UnexpectedException {
    json.expect('[');
    if (json.accept(']')) return;
    do {
      String name = new String(json.string(), UTF_8);
      json.expect(',');
      headers.add(name, json.stringOrNull());
    } while (json.accept(','));
    json.expect(']');
  }

  private ConsumerRecord<byte[], byte[]> consumed() {
    return new ConsumerRecord<>(
        new String(topic, UTF_8),
        (int) partition,
        offset,
        timestampMs,
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        key,
        payload,
        headers,
        Optional.empty());
  }
}
