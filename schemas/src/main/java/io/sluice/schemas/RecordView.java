package io.sluice.schemas;

import org.apache.avro.Schema;

/**
 * The fields of a record that metering needs, read directly from its bytes by a {@link
 * RecordReader}. If the record has no such text, it is empty.
 *
 * <p>Everything is checked when the view is made, the whole record too. Immutable and thread-safe
 * from then on, as long as nobody alters the array: the view keeps it, not a copy.
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
      default -> throw new IllegalArgumentException("the " + role.label() + " is no text");
    }
  }

  void takeCost(long permits) {
    cost = permits;
  }

  void takeTime(long epochMs) {
    timeMs = epochMs;
    timed = true;
  }

  /** The attributes begin here: a map, or a record. */
  void takeAttributes(Schema schema, int offset) {
    attributes = schema;
    attributesOffset = offset;
  }

  /** Who acts. */
  public String user() {
    return user;
  }

  /** What is done. */
  public String action() {
    return action;
  }

  /** Identifies the event, the same whenever it is sent again. */
  public String id() {
    return id;
  }

  /** Who or what the action is aimed at. */
  public String target() {
    return target;
  }

  /** Permits it needs, 1 if it does not say. It may be negative. */
  public long cost() {
    return cost;
  }

  /** Whether the record says when it happened. */
  public boolean hasTime() {
    return timed;
  }

  /** When it happened, in epoch milliseconds; 0 if {@link #hasTime} is false. */
  public long timeMs() {
    return timeMs;
  }

  /** The named attribute, read from the bytes at every call. Of several of that name, the last. */
  public String attribute(String name) {
    BodyCursor cursor = new BodyCursor(bytes, attributesOffset, end - attributesOffset);
    return AttributeScan.find(name, attributes, cursor);
  }
}
