package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.limits.Columns;
import io.sluice.cli.simulate.KcatRecord;
import io.sluice.events.EventDecoder;
import io.sluice.events.EventExplanation;
import io.sluice.events.EventExplanation.FieldReading;
import io.sluice.events.EventSelectors;
import io.sluice.events.RawRecord;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Limit;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Report of how a configuration reads sample events, and which limits apply to them. */
final class EventCheck {
  private static final int MOST_BYTES = 16 << 20;
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final SluiceConfig config;
  private final PrintWriter out;
  private final EventDecoder decoder;
  private int unreadable;

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
    decoder = config.eventDecoder();
  }

  /** Prints the report of each record; returns whether all of them are events. */
  boolean report(List<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> each : records) {
      if (records.size() > 1)
        out.println((each == records.get(0) ? "" : "\n") + "event " + (each.offset() + 1));
      report(each);
    }
    return unreadable == 0;
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

  private void report(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null || record.value().length == 0) {
      unreadable++;
      out.println("not an event: the record has no value; see " + Keys.TOMBSTONES);
      return;
    }
    RawRecord raw = RawRecord.of(record, Origin.of(record));
    EventSelectors selectors = config.selectors().of(record.topic());
    Columns fields = new Columns("field", "selector", "value", "note");
    for (FieldReading each :
        new EventExplanation(selectors, config.schemas(), record.topic()).of(raw, attributes())) {
      fields.row(List.of(each.field(), each.selector(), each.value(), each.note()));
    }
    fields.print(out);
    out.println();
    try {
      Event event = decoder.decode(raw);
      limits(event);
      event.attributeFaults().entrySet().stream()
          .filter(each -> config.limits().areHarmedBy(each.getValue(), each.getKey()))
          .forEach(this::refused);
    } catch (UnreadableEventException e) {
      unreadable++;
      out.println("not an event: " + e.getMessage());
    }
  }

  private void refused(Map.Entry<String, FaultKind> fault) {
    unreadable++;
    out.println(
        "not an event: attributes." + fault.getKey() + ": " + Keys.nameOf(fault.getValue()));
  }

  private Set<String> attributes() {
    return config.limits().all().stream()
        .flatMap(limit -> limit.fields().stream())
        .filter(field -> field.kind() == Field.Kind.ATTRIBUTE)
        .map(Field::attribute)
        .collect(Collectors.toSet());
  }

  private void limits(Event event) {
    Columns table = new Columns("limit", "applies", "key", "note");
    for (Limit limit : config.limits().all()) {
      Optional<String> reason = reasonAgainst(limit, event);
      boolean applies = reason.isEmpty();
      table.row(
          List.of(
              limit.name(),
              applies ? "yes" : "no",
              applies ? key(limit, event) : "",
              reason.orElse(applies ? missing(limit, event) : "")));
    }
    table.print(out);
  }

  /** Returns why a limit does not apply to an event; empty if it applies. */
  private Optional<String> reasonAgainst(Limit limit, Event event) {
    Optional<String> misfit = limit.match().misfit(event);
    if (misfit.isPresent()) return misfit;
    if (limit.skips(event)) return Optional.of(missing(limit, event));
    boolean isLeft =
        config.limits().resolved().stream()
            .noneMatch(each -> each.name().equals(limit.name()) && each.match().matches(event));
    return isLeft && limit.keyMissing() != Limit.KeyMissing.REJECT
        ? Optional.of("left to " + String.join(", ", limit.match().unless()))
        : Optional.empty();
  }

  private static String key(Limit limit, Event event) {
    if (limit.key().fields().isEmpty()) return "(one count for all)";
    return limit.key().fields().stream()
        .map(field -> field + "=" + field.of(event))
        .collect(Collectors.joining(" "));
  }

  private static String missing(Limit limit, Event event) {
    List<String> missing =
        Stream.concat(limit.key().fields().stream(), limit.distinct().stream())
            .filter(field -> field.of(event).isEmpty())
            .map(Field::toString)
            .toList();
    if (missing.isEmpty()) return "";
    String consequence =
        switch (limit.keyMissing()) {
          case SKIP -> "the limit does not apply";
          case SHARE -> "all such events share one count";
          case REJECT -> "the event is rejected";
        };
    return String.join(", ", missing)
        + " is missing: "
        + consequence
        + " (key.missing="
        + Keys.nameOf(limit.keyMissing())
        + ")";
  }
}
