package io.sluice.topology.config;

import io.sluice.events.EventDecoder;
import io.sluice.rules.event.Origin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Output topics of one kind of record, such as allowed events: one topic for all input topics, or
 * one topic for each input topic. Immutable.
 *
 * @param inputs input topics; empty if there is one output topic
 * @param names the output topic, or the output topics in the order of the input topics
 */
public record OutputTopics(List<String> inputs, List<String> names) {
  /** Placeholder for the input topic's name in the configured name of an output topic. */
  public static final String INPUT = "{input}";

  public OutputTopics {
    inputs = List.copyOf(inputs);
    names = List.copyOf(names);
  }

  /** Returns the output topics for a configured name that may contain {@link #INPUT}. */
  public static OutputTopics of(String template, List<String> inputs) {
    if (inputs.isEmpty() || !template.contains(INPUT)) return one(template);
    return new OutputTopics(
        inputs, inputs.stream().map(input -> template.replace(INPUT, input)).toList());
  }

  /** Returns a single output topic for all input topics. */
  public static OutputTopics one(String name) {
    return new OutputTopics(List.of(), List.of(name));
  }

  public boolean isOne() {
    return names.size() == 1;
  }

  /**
   * Returns the output topic for an event with this origin; that of the first input topic if the
   * origin names no input topic.
   */
  public String of(Origin origin) {
    return isOne() ? names.get(0) : names.get(EventDecoder.inputOf(inputs, origin));
  }

  /** Returns the output topic for events of an input topic. */
  public String ofInput(String topic) {
    return isOne() ? names.get(0) : names.get(Math.max(0, inputs.indexOf(topic)));
  }

  /** Returns the output topics of several kinds of records, in order, as one list. */
  public static List<String> names(OutputTopics... kinds) {
    List<String> names = new ArrayList<>();
    for (OutputTopics each : kinds) names.addAll(each.names);
    return Collections.unmodifiableList(names);
  }

  /** Returns the output topics as a comma list. */
  @Override
  public String toString() {
    return String.join(", ", names);
  }
}
