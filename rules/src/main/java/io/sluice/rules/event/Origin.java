package io.sluice.rules.event;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Coordinates of the record that an event first came in. As text they are topic-partition-offset,
 * in headers and in place of a missing event id.
 */
public final class Origin {
  /** Origin of an event that does not say which record it came in. */
  public static final Origin UNKNOWN = parse("");

  private static final int RADIX = 10;

  private final String topic;
  private final int partition;
  private final long offset;

  /** Text form, made on the first call by any thread, because many events do not need it. */
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

  /**
   * Returns the origin with this text. Any text is accepted, because any producer may write a
   * header.
   */
  public static Origin parse(String text) {
    return new Origin("", 0, 0, text);
  }

  public boolean isKnown() {
    return !toString().isEmpty();
  }

  /** Returns topic and partition, as the first part of the text, up to its last dash. */
  public String place() {
    String all = toString();
    return all.substring(0, all.lastIndexOf('-') + 1);
  }

  /** Returns the offset in the partition; 0 if the text does not end with one. */
  public long offset() {
    if (!topic.isEmpty()) return offset;
    try {
      return Long.parseLong(text, text.lastIndexOf('-') + 1, text.length(), RADIX);
    } catch (NumberFormatException e) {
      return 0;
    }
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
    String known = text; // read once: another thread may write it
    if (known == null) text = known = topic + "-" + partition + "-" + offset;
    return known;
  }
}
