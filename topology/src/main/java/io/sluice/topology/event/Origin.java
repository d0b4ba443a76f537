package io.sluice.topology.event;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The coordinates of the record that an event came in first. As text they are
 * topic-partition-offset, in headers and as what stands in for a missing event id.
 */
public final class Origin {
  /** The origin of an event that does not say where it came from. */
  public static final Origin UNKNOWN = parse("");

  private final String topic;
  private final int partition;
  private final long offset;

  /** Made when it is asked for, by whichever thread asks: many events go without. */
  private String text;

  private Origin(String topic, int partition, long offset, String text) {
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    this.text = text;
  }

  public static Origin of(ConsumerRecord<?, ?> record) {
    return of(record.topic(), record.partition(), record.offset());
  }

  public static Origin of(String topic, int partition, long offset) {
    return new Origin(topic, partition, offset, null);
  }

  /** The origin of which this is the text; of any text, since anybody may write a header. */
  public static Origin parse(String text) {
    return new Origin("", 0, 0, text);
  }

  public boolean isKnown() {
    return !toString().isEmpty();
  }

  /** Topic and partition, as the beginning of the text. */
  public String place() {
    String all = toString();
    return all.substring(0, all.lastIndexOf('-') + 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Origin origin && toString().equals(origin.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    String known = text; // read once: another thread may be writing it
    if (known == null) text = known = topic + "-" + partition + "-" + offset;
    return known;
  }
}
