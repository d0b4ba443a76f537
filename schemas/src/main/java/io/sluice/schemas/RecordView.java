package io.sluice.schemas;

import org.apache.avro.Schema;

/**
 * Fields of a record that metering needs, read directly from the record's bytes by a {@link
 * RecordReader}. A text that the record does not have is empty.
 *
 * <p>The whole record is checked when the view is created. From then on, the view is immutable and
 * thread-safe, as long as the byte array is not modified: the view keeps the array, not a copy.
 */
public final class RecordView {
  private static final Schema NO_ATTRIBUTES = Schema.create(Schema.Type.NULL);

  private final byte[] bytes;
  private final int end;
  private String user = "";
  private String action = "";
  private String id = "";
  private String target = "";
  private long cost = 1;
  private long timeMs;
  private boolean timed;
  private Schema attributes = NO_ATTRIBUTES;
  private int attributesOffset;

  RecordView(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  void take(Role role, String text) {
    switch (role) {
      case USER -> user = text;
      case ACTION -> action = text;
      case ID -> id = text;
      case TARGET -> target = text;
      default -> throw new IllegalArgumentException("the " + role.label() + " is not a text field");
    }
  }

  void takeCost(long permits) {
    cost = permits;
  }

  void takeTime(long epochMs) {
    timeMs = epochMs;
    timed = true;
  }

  /** Notes the schema of the attributes, a map or a record, and the index of their first byte. */
  void takeAttributes(Schema schema, int offset) {
    attributes = schema;
    attributesOffset = offset;
  }

  /** Returns the user who acts. */
  public String user() {
    return user;
  }

  /** Returns the name of the action. */
  public String action() {
    return action;
  }

  /** Returns the id of the event, which is the same each time the event is sent. */
  public String id() {
    return id;
  }

  /** Returns the user or thing that the action is aimed at. */
  public String target() {
    return target;
  }

  /** Returns the permits that the event needs; 1 if the record has no cost. Can be negative. */
  public long cost() {
    return cost;
  }

  /** Whether the record has a time. */
  public boolean hasTime() {
    return timed;
  }

  /** Returns the time of the event, in epoch milliseconds; 0 if {@link #hasTime} is false. */
  public long timeMs() {
    return timeMs;
  }

  /**
   * Returns the attribute with this name, read from the bytes at every call; empty if there is no
   * such attribute. If a map has several entries with the name, the last one counts.
   */
  public String attribute(String name) {
    BodyCursor cursor = new BodyCursor(bytes, attributesOffset, end - attributesOffset);
    return AttributeScan.find(name, attributes, cursor);
  }
}
