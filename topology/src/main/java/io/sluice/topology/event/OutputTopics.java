package io.sluice.topology.event;

import io.sluice.rules.event.Origin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Output topics of one kind of record: one topic for all inputs, or one for each input. Immutable.
 *
 * @param names one topic, or one for each input, in the order of the inputs
 */
public record OutputTopics(List<String> inputs, List<String> names) {
  /** Placeholder for the name of the input topic. */
  public static final String INPUT = "{input}";

  public OutputTopics {
    inputs = List.copyOf(inputs);
    names = List.copyOf(names);
  }

  /** Returns the topics for a name that may contain {@link #INPUT}. */
  public static OutputTopics of(String template, List<String> inputs) {
    if (inputs.isEmpty() || !template.contains(INPUT)) return one(template);
    return new OutputTopics(
        inputs, inputs.stream().map(input -> template.replace(INPUT, input)).toList());
  }

  /** Returns one topic for all inputs. */
  public static OutputTopics one(String name) {
    return new OutputTopics(List.of(), List.of(name));
  }

  public boolean isOne() {
    return names.size() == 1;
  }

  /**
   * Returns the topic for records with this origin; the first input's if the origin names no input.
   */
  public String of(Origin origin) {
    return isOne() ? names.get(0) : names.get(Inputs.indexOf(inputs, origin));
  }

  /** Returns the topic for the records of an input. */
  public String ofInput(String topic) {
    return isOne() ? names.get(0) : names.get(Math.max(0, inputs.indexOf(topic)));
  }

  /** Returns all topics of several kinds of records, in order. */
  public static List<String> names(OutputTopics... kinds) {
    List<String> names = new ArrayList<>();
    for (OutputTopics each : kinds) names.addAll(each.names);
    return Collections.unmodifiableList(names);
  }

  /** Returns the topics as a comma list. */
  @Override
  public String toString() {
    return String.join(", ", names);
  }
}
