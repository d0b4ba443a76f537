package io.sluice.events;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.UnreadableEventException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Explanation of how the fields of one record are read. Each field is read on its own, so that the
 * fault of one does not hide the others; so it is slow, and for commands only.
 */
public final class EventExplanation {
  private static final String RAW = "raw";

  private final EventSelectors selectors;
  private final SchemaConfig schemas;
  private final String topic;

  /**
   * @param selectors selectors of the record's topic
   */
  public EventExplanation(EventSelectors selectors, SchemaConfig schemas, String topic) {
    this.selectors = selectors;
    this.schemas = schemas;
    this.topic = topic;
  }

  /**
   * Field of a record.
   *
   * @param field name that limits and messages use, such as {@code userId}
   * @param selector text of its selector; empty if events do not have the field
   * @param value value that was read; empty if there is none
   * @param note consequence of a missing value, or fault of an unfit one; empty if the value is fit
   */
  public record FieldReading(String field, String selector, String value, String note) {}

  /**
   * Returns the fields of a record.
   *
   * @param attributes names of attributes without a selector that are of interest
   */
  public List<FieldReading> of(RawRecord record, Set<String> attributes) {
    List<FieldReading> fields = new ArrayList<>();
    for (Role role : Role.values()) {
      boolean isShown = !role.defaultPath().isEmpty() || selectors.has(role);
      if (role != Role.ATTRIBUTES && isShown) fields.add(reading(role, record));
    }
    Set<String> named = selectors.attributeTexts().keySet();
    for (String name : new TreeSet<>(named)) {
      String selector = selectors.attributeTexts().get(name);
      fields.add(attribute(name, selector, selectors.onlyAttribute(name), record));
    }
    for (String name : new TreeSet<>(attributes)) {
      if (named.contains(name)) continue;
      String path = selectors.text(Role.ATTRIBUTES);
      String selector =
          path.isEmpty() || path.equals(EventSelectors.WHOLE) ? name : path + "." + name;
      fields.add(attribute(name, selector, selectors.only(Role.ATTRIBUTES, RAW), record));
    }
    return fields;
  }

  private FieldReading reading(Role role, RawRecord record) {
    String selector = selectors.text(role);
    if (selector.isEmpty()) return new FieldReading(nameOf(role), "", "", ofMissing(role));
    try {
      Event event = read(selectors.only(role, RAW), record);
      String raw = event.attribute(RAW);
      return raw.isEmpty()
          ? new FieldReading(nameOf(role), selector, "", ofMissing(role))
          : new FieldReading(nameOf(role), selector, value(role, event), "");
    } catch (UnreadableEventException e) {
      return new FieldReading(nameOf(role), selector, "", e.getMessage());
    }
  }

  private FieldReading attribute(
      String name, String selector, EventSelectors only, RawRecord record) {
    String field = "attributes." + name;
    try {
      String value = value(read(only, record), name);
      return new FieldReading(field, selector, value, value.isEmpty() ? "missing" : "");
    } catch (UnreadableEventException e) {
      return new FieldReading(field, selector, "", e.getMessage());
    }
  }

  private static String value(Event event, String attribute) {
    List<String> elements = event.elements(attribute);
    return elements.isEmpty() ? event.attribute(attribute) : String.join(", ", elements);
  }

  private Event read(EventSelectors only, RawRecord record) throws UnreadableEventException {
    TopicDecoder decoder = new TopicDecoder(only, schemas.open(only), schemas.idBytes());
    return decoder.read(record, record.value(), decoder.input(topic));
  }

  private static String nameOf(Role role) {
    return role.defaultPath().isEmpty() ? role.label() : role.defaultPath();
  }

  private String ofMissing(Role role) {
    return switch (role) {
      case USER -> "missing: the record is not an event";
      case ACTION ->
          selectors.has(role)
              ? "missing: the record is not an event"
              : "the topic's name, " + topic;
      case ID -> "missing: the record's topic, partition and offset are the id";
      case TIME -> "missing: the record's timestamp is the time";
      case COST -> "missing: the cost is 1";
      case EXPIRES -> "missing: the event has no end";
      case TARGET, ATTRIBUTES -> "missing";
    };
  }

  private static String value(Role role, Event event) {
    return switch (role) {
      case USER -> event.userId();
      case ACTION -> event.action();
      case ID -> event.eventId();
      case TIME -> time(event.occurredAtMs());
      case COST -> Long.toString(event.cost());
      case TARGET -> event.target();
      case EXPIRES -> time(event.expiresAtMs());
      case ATTRIBUTES -> throw new IllegalArgumentException("attributes are many");
    };
  }

  private static String time(long ms) {
    try {
      return Instant.ofEpochMilli(ms) + " (" + ms + ")";
    } catch (DateTimeException e) {
      return Long.toString(ms);
    }
  }
}
