package io.sluice.rules.event;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Topic, partition and offset of the record in which an event first arrived. Their text, {@code
 * topic-partition-offset}, is written to headers, and replaces a missing event id.
 */
public final class Origin {
  /** Origin of an event whose first record is not known; its text is empty. */
  public static final Origin UNKNOWN = parse("");

  private static final int RADIX = 10;

  private final String topic;
  private final int partition;
  private final long offset;

  /** Text form of the origin; null until any thread first needs it, because many events do not. */
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
   * Returns the origin with this text. Any text is accepted, because the text comes from a header
   * that any producer may write.
   */
  public static Origin parse(String text) {
    return new Origin("", 0, 0, text);
  }

  public boolean isKnown() {
    return !toString().isEmpty();
  }

  /**
   * Returns the part of the text that names topic and partition: all up to the last dash,
   * inclusive.
   */
  public String place() {
    String all = toString();
    return all.substring(0, all.lastIndexOf('-') + 1);
  }

  /** Returns whether the text names an offset. */
  public boolean hasOffset() {
    return offset() >= 0;
  }

  /**
   * Returns the offset in the partition, also of an event that is one of several of an input
   * record; -1 if the text names none.
   */
  public long offset() {
    if (!topic.isEmpty()) return offset;
    int begin = text.lastIndexOf('-') + 1;
    int point = text.indexOf('.', begin);
    try {
      return Long.parseLong(text, begin, point < 0 ? text.length() : point, RADIX);
    } catch (NumberFormatException e) {
      return -1;
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
    String known = text; // read the field once: another thread may set it
    if (known == null) text = known = topic + "-" + partition + "-" + offset;
    return known;
  }
}
