package io.sluice.runtime.cluster;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Position of a record in a topic; its text is {@code topic-partition-offset}. */
public record RecordPosition(String topic, int partition, long offset) {
  /** The name of a topic may contain dashes and digits, so partition and offset are at the end. */
  private static final Pattern TEXT = Pattern.compile("(.{1,249})-([0-9]{1,10})-([0-9]{1,19})");

  public static RecordPosition of(ConsumerRecord<?, ?> record) {
    return new RecordPosition(record.topic(), record.partition(), record.offset());
  }

  /**
   * Returns the position with this text, which any producer may have written; empty if none has.
   */
  public static Optional<RecordPosition> parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) return Optional.empty();
    try {
      return Optional.of(
          new RecordPosition(
              parts.group(1), Integer.parseInt(parts.group(2)), Long.parseLong(parts.group(3))));
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return topic + "-" + partition + "-" + offset;
  }
}
