package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Parser for Kafka records as {@code kcat -J} prints them: one JSON object per line. */
public final class KcatRecord {
  /*
   * Fields that kcat prints for every record.
   *
   * kcat writes the bytes of key, value and headers into JSON strings unchanged, and escapes only
   * control characters, quotes and backslashes. So a string may be invalid UTF-8, which a JSON
   * parser may reject; read as bytes, it is exactly the content of the topic, Avro as well.
   *
   * A JSON object is a kcat record only if it has all these fields, each once and of its type, and
   * no fields that kcat never prints. Parsing stops at the first field that does not fit; in a line
   * that is an event this is usually its first field.
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

  /** Parses a line; empty if the line is not a kcat record. */
  public static Optional<ConsumerRecord<byte[], byte[]>> read(byte[] line) {
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
      // kcat prints "unknown":"ts" in place of the time of a record that has none.
      case "tstype", "unknown" -> json.string();
      case "broker" -> json.integer();
      case "headers" -> readHeaders();
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Parses the headers of the record: a JSON array in which names and values alternate. */
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
