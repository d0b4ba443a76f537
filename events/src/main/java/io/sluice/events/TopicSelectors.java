package io.sluice.events;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selectors of the events of each input topic.
 *
 * @param common selectors of topics that have none of their own
 * @param own selectors by input topic
 */
public record TopicSelectors(EventSelectors common, Map<String, EventSelectors> own) {
  public TopicSelectors {
    own = Map.copyOf(own);
  }

  /** Returns the same selectors for all input topics. */
  public static TopicSelectors same(EventSelectors common) {
    return new TopicSelectors(common, Map.of());
  }

  public EventSelectors of(String topic) {
    return own.getOrDefault(topic, common);
  }

  /** Returns all selectors, the common ones first. */
  public List<EventSelectors> all() {
    return Stream.concat(Stream.of(common), own.values().stream()).toList();
  }

  /** Returns the names of the attributes that are lists in the events of any topic. */
  public Set<String> lists() {
    return all().stream()
        .flatMap(each -> each.lists().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Checks that events of at least one topic can be of a schema.
   *
   * @throws IllegalArgumentException if not; the message says why for the common selectors
   */
  public void requireAnyReads(SchemaDefinition definition) {
    IllegalArgumentException first = null;
    for (EventSelectors each : all()) {
      try {
        definition.reader(each);
        return;
      } catch (IllegalArgumentException e) {
        if (first == null) first = e;
      }
    }
    throw first;
  }
}
