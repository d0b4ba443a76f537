package io.sluice.schemas;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Fields of a {@link UserAction} that metering needs, read directly from the action's bytes.
 *
 * <p>All bytes are checked when the view is created, the attributes too, so an event with a view is
 * valid to its last byte. Attributes become strings only when they are requested.
 *
 * <p>Immutable and thread-safe, as long as the byte array is not modified: the view keeps the
 * array, not a copy.
 */
public final class UserActionView {
  private final String eventId;
  private final String userId;
  private final String action;
  private final long occurredAtMs;
  private final long cost;
  private final boolean hasTarget;
  private final String target;

  private final byte[] bytes;
  private final int attributesOffset;
  private final int attributesLength;

  /**
   * Reads a body (the action in Avro's binary encoding) of the current schema, with the fields in
   * the schema's order.
   */
  private UserActionView(byte[] bytes, int offset, int length) {
    BodyCursor cursor = new BodyCursor(bytes, offset, length);
    eventId = cursor.readString("eventId");
    userId = cursor.readString("userId");
    action = cursor.readString("action");
    occurredAtMs = cursor.readLong("occurredAt");
    cost = cursor.readLong("cost");
    hasTarget = cursor.readIndex("target", 2) == 1;
    target = hasTarget ? cursor.readString("target") : "";

    this.bytes = bytes;
    attributesOffset = cursor.position();
    Blocks entries = new Blocks(cursor, "attributes");
    while (entries.next()) {
      cursor.skipString("attributes");
      cursor.skipString("attributes");
    }
    cursor.requireEnd();
    attributesLength = cursor.position() - attributesOffset;
  }

  /**
   * Creates a view of an event in Avro's single-object encoding that was written with any published
   * schema.
   *
   * @throws UndecodableException if the bytes are not exactly one action
   */
  public static UserActionView of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  /**
   * Creates a view of an event in Avro's single-object encoding that is a part of an array.
   *
   * @throws UndecodableException if these bytes are not exactly one action
   * @throws IndexOutOfBoundsException if the array has no such part
   */
  public static UserActionView of(byte[] bytes, int offset, int length) {
    return SingleObjectReader.PUBLISHED.view(bytes, offset, length);
  }

  /**
   * Creates a view of a body of the current schema, without the header of the single-object
   * encoding.
   */
  static UserActionView ofBody(byte[] bytes, int offset, int length) {
    return new UserActionView(bytes, offset, length);
  }

  /** Returns the id of the event, which is the same each time the event is sent. */
  public String eventId() {
    return eventId;
  }

  /** Returns the user who acts. */
  public String userId() {
    return userId;
  }

  /** Returns the name of the action. */
  public String action() {
    return action;
  }

  /**
   * Returns the time of the event in epoch milliseconds: any long, as the event's producer wrote
   * it.
   */
  public long occurredAtMs() {
    return occurredAtMs;
  }

  /**
   * Returns the permits that the event needs, as the event's producer wrote them: the number can be
   * negative.
   */
  public long cost() {
    return cost;
  }

  /** Whether the action has a target. */
  public boolean hasTarget() {
    return hasTarget;
  }

  /**
   * Returns the user or thing that the action is aimed at; empty if {@link #hasTarget} is false, or
   * if the target itself is empty.
   */
  public String target() {
    return target;
  }

  /** Returns whether several attributes have this name. */
  public boolean isAmbiguous(String name) {
    byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
    BodyCursor cursor = new BodyCursor(bytes, attributesOffset, attributesLength);
    Blocks entries = new Blocks(cursor, "attributes");
    int found = 0;
    while (entries.next()) {
      if (cursor.skipsString("attributes", wanted)) found++;
      cursor.skipString("attributes");
    }
    return found > 1;
  }

  /**
   * Returns the attribute with this name, read from the bytes at every call. If several attributes
   * have the name, the last one counts.
   */
  public Optional<String> attribute(String name) {
    byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
    BodyCursor cursor = new BodyCursor(bytes, attributesOffset, attributesLength);
    Blocks entries = new Blocks(cursor, "attributes");
    Optional<String> found = Optional.empty();
    while (entries.next()) {
      if (cursor.skipsString("attributes", wanted)) {
        found = Optional.of(cursor.readString("attributes"));
      } else {
        cursor.skipString("attributes");
      }
    }
    return found;
  }
}
