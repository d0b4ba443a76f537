package io.sluice.topology.event;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The topics to which one kind of records goes: one for all inputs, or one for each. Immutable.
 *
 * @param names one, or as many as there are inputs, in their order
 */
public record OutputTopics(List<String> inputs, List<String> names) {
  /** Stands for the input's name. */
  public static final String INPUT = "{input}";

  public OutputTopics {
    inputs = List.copyOf(inputs);
    names = List.copyOf(names);
  }

  /** Those of a name in which {@link #INPUT} may stand. */
  public static OutputTopics of(String template, List<String> inputs) {
    if (inputs.isEmpty() || !template.contains(INPUT)) return one(template);
    return new OutputTopics(
        inputs, inputs.stream().map(input -> template.replace(INPUT, input)).toList());
  }

  /** One topic for all inputs. */
  public static OutputTopics one(String name) {
    return new OutputTopics(List.of(), List.of(name));
  }

  public boolean isOne() {
    return names.size() == 1;
  }

  /**
   * That for a record which came in so; for one that came in otherwise, that of the first input.
   */
  public String of(Origin origin) {
    return isOne() ? names.get(0) : names.get(Inputs.indexOf(inputs, origin));
  }

  /** That of an input. */
  public String ofInput(String topic) {
    return isOne() ? names.get(0) : names.get(Math.max(0, inputs.indexOf(topic)));
  }

  /** All topics of several kinds of records, in order. */
  public static List<String> names(OutputTopics... kinds) {
    List<String> names = new ArrayList<>();
    for (OutputTopics each : kinds) names.addAll(each.names);
    return Collections.unmodifiableList(names);
  }

  /** As a comma list. */
  @Override
  public String toString() {
    return String.join(", ", names);
  }
}
