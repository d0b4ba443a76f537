package io.sluice.topology.event;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The coordinates of the record that an event came in first. As text they are
 * topic-partition-offset, in headers and as what stands in for a missing event id.
 */
public final class Origin {
  /** The origin of an event that does not say where it came from. */
  public static final Origin UNKNOWN = new Origin("");

  private final String text;

  private Origin(String text) {
    this.text = text;
  }

  public static Origin of(ConsumerRecord<?, ?> record) {
    return of(record.topic(), record.partition(), record.offset());
  }

  public static Origin of(String topic, int partition, long offset) {
    return new Origin(topic + "-" + partition + "-" + offset);
  }

  /** The origin of which this is the text; of any text, since anybody may write a header. */
  public static Origin parse(String text) {
    return text.isEmpty() ? UNKNOWN : new Origin(text);
  }

  public boolean isKnown() {
    return !text.isEmpty();
  }

  /** Topic and partition, as the beginning of the text. */
  public String place() {
    return text.substring(0, text.lastIndexOf('-') + 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Origin origin && text.equals(origin.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
