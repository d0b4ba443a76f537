package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.event.EventReport;
import io.sluice.cli.simulate.KcatRecord;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Sample events of a file, and the report of how a configuration reads them. */
final class EventCheck {
  private static final int MOST_BYTES = 16 << 20;

  /** Time of the report: a sample may have any time. */
  private static final InstantSource SAMPLE_CLOCK =
      InstantSource.fixed(Instant.parse("2200-01-01T00:00:00Z"));

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final SluiceConfig config;
  private final PrintWriter out;
  private final EventReport report;

  /**
   * Parts of the sample records other than their values.
   *
   * @param topic input topic; empty for the first one
   * @param key key of the records; null if they have none
   */
  record Parts(String topic, String key, Map<String, String> headers) {}

  EventCheck(SluiceConfig config, PrintWriter out) {
    this.config = config;
    this.out = out;
    LimitsInForce limits = LimitsInForce.of(config.limitsConfig());
    report = new EventReport(config, limits, SAMPLE_CLOCK, out);
  }

  /** Prints the report of each record; returns whether all of them are events. */
  boolean report(List<ConsumerRecord<byte[], byte[]>> records) {
    boolean areEvents = true;
    for (ConsumerRecord<byte[], byte[]> each : records) {
      if (records.size() > 1)
        out.println((each == records.get(0) ? "" : "\n") + "event " + (each.offset() + 1));
      areEvents &= report.print(each);
    }
    return areEvents;
  }

  /**
   * Reads the sample records of a file: one record, or one in each line.
   *
   * @param file file, or {@code -} for the standard input
   * @throws IllegalArgumentException if the topic is no input topic
   */
  List<ConsumerRecord<byte[], byte[]>> read(Path file, InputStream standardInput, Parts parts) {
    byte[] all = bytes(file, standardInput);
    List<byte[]> values = lines(all);
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (byte[] value : values) {
      long offset = records.size();
      records.add(
          KcatRecord.read(value)
              .map(each -> at(each, offset))
              .orElseGet(() -> record(value, offset, parts)));
    }
    if (records.isEmpty()) throw new CommandFailedException(file + " is empty");
    return records;
  }

  private static byte[] bytes(Path file, InputStream standardInput) {
    try (InputStream in =
        file.toString().equals("-") ? standardInput : Files.newInputStream(file)) {
      byte[] all = in.readNBytes(MOST_BYTES + 1);
      if (all.length <= MOST_BYTES) return all;
      throw new CommandFailedException(file + " is larger than 16 MB; give a few sample events");
    } catch (NoSuchFileException e) {
      throw new CommandFailedException(file + ": no such file; - is the standard input", e);
    } catch (IOException e) {
      throw new CommandFailedException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the values in a file: its lines if the first one is a whole JSON object. */
  private static List<byte[]> lines(byte[] all) {
    String text = new String(all, UTF_8);
    List<String> lines = text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    if (lines.size() < 2 || !isObject(lines.get(0)))
      return all.length == 0 ? List.of() : List.of(all);
    return lines.stream().map(line -> line.getBytes(UTF_8)).toList();
  }

  private static boolean isObject(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      return node != null && node.isObject();
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  private ConsumerRecord<byte[], byte[]> record(byte[] value, long offset, Parts parts) {
    String topic = parts.topic.isEmpty() ? config.inputTopics().get(0) : parts.topic;
    RecordHeaders headers = new RecordHeaders();
    parts.headers.forEach((name, text) -> headers.add(name, text.getBytes(UTF_8)));
    byte[] key = parts.key == null ? null : parts.key.getBytes(UTF_8);
    ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(topic, 0, offset, key, value);
    headers.forEach(record.headers()::add);
    return at(record, offset);
  }

  /** Returns the record with the current time as its timestamp, if it has none. */
  private ConsumerRecord<byte[], byte[]> at(ConsumerRecord<byte[], byte[]> record, long offset) {
    if (!config.inputTopics().contains(record.topic())) {
      throw new IllegalArgumentException(
          "the topic "
              + record.topic()
              + " is not an input topic: "
              + String.join(", ", config.inputTopics()));
    }
    long ms = record.timestamp() < 0 ? InstantSource.system().millis() : record.timestamp();
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        offset,
        ms,
        record.timestampType(),
        record.serializedKeySize(),
        record.serializedValueSize(),
        record.key(),
        record.value(),
        record.headers(),
        Optional.empty());
  }
}
