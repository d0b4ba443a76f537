package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.events.EventSelectors.Bound;
import io.sluice.events.Selector.Alternative;
import io.sluice.events.Selector.UnfitValueException;
import io.sluice.events.ValueReader.Attributes;
import io.sluice.events.ValueReader.Read;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.PlainText;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.Values;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.header.Header;

/** Event with the fields that the selectors give, all of them evaluated when it is created. */
final class SelectedEvent implements Event {
  private static final int LONGEST_SHOWN = 100;
  private static final long NO_END = Long.MAX_VALUE;

  private final RawRecord record;
  private final String topic;
  private final Attributes others;
  private final String eventId;
  private final String userId;
  private final String action;
  private final String target;
  private final long occurredAtMs;
  private final long expiresAtMs;
  private final long cost;
  private Map<String, String> named = Map.of();
  private Map<String, List<String>> lists = Map.of();

  /**
   * @param read values of the record at the paths of the selectors
   */
  SelectedEvent(EventSelectors selectors, RawRecord record, InputTopic topic, Read read)
      throws UnreadableEventException {
    this.record = record;
    this.topic = topic.name();
    others = read.attributes();
    Values values = read.values();
    eventId = text(values, selectors.field(Role.ID), "");
    userId = text(values, selectors.field(Role.USER), "");
    action = text(values, selectors.field(Role.ACTION), topic.action());
    target = text(values, selectors.field(Role.TARGET), "");
    occurredAtMs = time(values, selectors);
    expiresAtMs = end(values, selectors);
    cost = cost(values, selectors.field(Role.COST));
    if (!selectors.attributes().isEmpty()) named = named(values, selectors.attributes());
  }

  /**
   * Input topic of an event.
   *
   * @param action replacement of a missing action: the topic's name, or empty
   */
  record InputTopic(String name, String action) {}

  private Map<String, String> named(Values values, Map<String, Bound> attributes)
      throws UnreadableEventException {
    Map<String, String> given = new HashMap<>();
    for (Map.Entry<String, Bound> each : attributes.entrySet()) {
      Bound bound = each.getValue();
      if (bound.isList()) given.put(each.getKey(), addList(each.getKey(), values, bound));
      else given.put(each.getKey(), text(values, bound, ""));
    }
    return given;
  }

  /** Adds an attribute that is a list, and returns its first value; empty if it has none. */
  private String addList(String name, Values values, Bound bound) throws UnreadableEventException {
    List<String> elements = elements(values, bound);
    if (elements.isEmpty()) return "";
    if (lists.isEmpty()) lists = new HashMap<>();
    lists.put(name, elements);
    return elements.get(0);
  }

  /** Returns the values of a list, each once; a null or an empty text is no value. */
  private List<String> elements(Values values, Bound bound) throws UnreadableEventException {
    Object chosen = chosen(values, bound);
    if (chosen instanceof List<?> list) requireReadable(list, bound);
    Object value = staged(chosen, bound);
    if (value == null) return List.of();
    List<?> all = value instanceof List<?> list ? list : List.of(value);
    Set<String> texts = new LinkedHashSet<>();
    for (Object element : all) texts.add(text(element, bound));
    texts.remove("");
    return List.copyOf(texts);
  }

  private static void requireReadable(List<?> list, Bound bound) throws UnreadableEventException {
    if (list.size() > Bucket.MOST_VALUES) {
      throw invalid(
          bound,
          "has %,d elements; at most %,d can be counted"
              .formatted(list.size(), Bucket.MOST_VALUES));
    }
    for (Object element : list) requireReadable(element, bound);
  }

  private static void requireReadable(Object value, Bound bound) throws UnreadableEventException {
    if (value instanceof Values.Unreadable unreadable) {
      throw invalid(bound, "is of type " + unreadable.type());
    }
  }

  private String text(Values values, Bound bound, String otherwise)
      throws UnreadableEventException {
    Object value = value(values, bound);
    if (value == null) return otherwise;
    String text = text(value, bound);
    return text.isEmpty() ? otherwise : text;
  }

  private static String text(Object value, Bound bound) throws UnreadableEventException {
    if (value instanceof Values.Structure structure) {
      throw invalid(bound, "must be text, a number or a boolean, not " + structure.kind());
    }
    if (value instanceof Values.Decimal number && !number.isPlain()) {
      throw invalid(bound, "has an exponent and too many digits");
    }
    String text = value.toString();
    if (!(value instanceof String) || Bucket.isKey(text)) return text;
    throw invalid(bound, "contains half of a surrogate pair, which UTF-8 cannot encode");
  }

  private long time(Values values, EventSelectors selectors) throws UnreadableEventException {
    Bound bound = selectors.field(Role.TIME);
    Object value = value(values, bound);
    return value == null ? record.timestampMs() : time(value, bound, selectors.times());
  }

  private static long time(Object value, Bound bound, EventTimes times)
      throws UnreadableEventException {
    try {
      return times.ofValue(value);
    } catch (UnfitValueException e) {
      throw invalid(bound, e.getMessage());
    }
  }

  /**
   * Returns the time after which the event is of no use. It may be later than any time of an event,
   * since producers write such times for events without an end.
   */
  private long end(Values values, EventSelectors selectors) throws UnreadableEventException {
    Bound bound = selectors.field(Role.EXPIRES);
    Object value = value(values, bound);
    if (value == null) return NO_END;
    long endMs = time(value, bound, selectors.times());
    if (endMs < 0) throw invalid(bound, "must be epoch milliseconds since 1970: " + endMs);
    return endMs;
  }

  private long cost(Values values, Bound bound) throws UnreadableEventException {
    Object value = value(values, bound);
    if (value == null) return 1;
    boolean isText = value instanceof String text && SelectorFunction.isNumber(text);
    Object number = isText ? Values.number(value.toString()) : value;
    if (number instanceof Long permits) return permits;
    throw invalid(
        bound, "must be a whole number: " + PlainText.message(number.toString(), LONGEST_SHOWN));
  }

  private Object value(Values values, Bound bound) throws UnreadableEventException {
    if (bound.only() >= 0) return values.get(bound.only());
    return staged(chosen(values, bound), bound);
  }

  /** Returns the value of the first alternative that has one; null if none has. */
  private Object chosen(Values values, Bound bound) throws UnreadableEventException {
    List<Alternative> alternatives = bound.selector().alternatives();
    Object value = null;
    for (int i = 0; i < alternatives.size() && value == null; i++) {
      int slot = bound.slot(i);
      value = slot >= 0 ? values.get(slot) : outside(alternatives.get(i), bound);
    }
    requireReadable(value, bound);
    return value;
  }

  private static Object staged(Object value, Bound bound) throws UnreadableEventException {
    if (value == null || bound.selector().stages().isEmpty()) return value;
    try {
      return bound.selector().applied(value);
    } catch (UnfitValueException e) {
      throw new UnreadableEventException(e.kind(), bound.selector().text() + ": " + e.getMessage());
    }
  }

  /** Returns the value of an alternative outside of the record's value; null if there is none. */
  private Object outside(Alternative alternative, Bound bound) throws UnreadableEventException {
    return switch (alternative.root()) {
      case KEY -> utf8(record.key(), bound);
      case HEADER -> {
        Header header = record.headers().lastHeader(alternative.header());
        yield header == null ? null : utf8(header.value(), bound);
      }
      case TOPIC -> topic;
      case TIMESTAMP -> record.timestampMs();
      case VALUE -> throw new IllegalStateException("the value has slots");
    };
  }

  private static String utf8(byte[] bytes, Bound bound) throws UnreadableEventException {
    if (bytes == null) return null;
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw invalid(bound, "is not UTF-8");
    }
  }

  private static UnreadableEventException invalid(Bound bound, String why) {
    return new UnreadableEventException(
        FaultKind.INVALID_FIELD, bound.selector().text() + " " + why);
  }

  @Override
  public String eventId() {
    return eventId.isEmpty() ? record.origin().toString() : eventId;
  }

  @Override
  public String userId() {
    return userId;
  }

  @Override
  public String action() {
    return action;
  }

  @Override
  public long occurredAtMs() {
    return occurredAtMs;
  }

  @Override
  public long expiresAtMs() {
    return expiresAtMs;
  }

  @Override
  public long cost() {
    return cost;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public String topic() {
    return topic;
  }

  @Override
  public String attribute(String name) {
    String own = named.get(name);
    return own == null ? others.of(name) : own;
  }

  @Override
  public List<String> elements(String attribute) {
    return lists.getOrDefault(attribute, List.of());
  }

  @Override
  public Map<String, FaultKind> attributeFaults() {
    return others.faults();
  }
}
