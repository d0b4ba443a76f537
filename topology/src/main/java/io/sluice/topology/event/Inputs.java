package io.sluice.topology.event;

import io.sluice.rules.event.Origin;
import java.util.List;

/** Input topics of an application; finds the input topic of an event. Immutable. */
record Inputs(List<String> topics) {
  Inputs {
    topics = List.copyOf(topics);
  }

  /**
   * Returns the index of the input topic that an event's origin, {@code topic-partition-offset},
   * names. If the origin names no input topic, the result is 0: the topic may have been an input
   * before, and any producer may write a header with an origin.
   */
  static int indexOf(List<String> topics, Origin origin) {
    for (int i = 1; i < topics.size(); i++) {
      if (isOf(topics.get(i), origin.toString())) return i;
    }
    return 0;
  }

  /**
   * Returns whether an origin consists of the topic, a partition and an offset. The name of a
   * longer topic may begin with the topic's name and contain numbers, too.
   */
  private static boolean isOf(String topic, String origin) {
    if (!origin.startsWith(topic)) return false;
    int offset = afterNumber(origin, topic.length());
    return offset > 0 && afterNumber(origin, offset) == origin.length();
  }

  /** Returns the index after a dash and digits that begin at an index; -1 if there are none. */
  private static int afterNumber(String text, int from) {
    int at = from + 1;
    if (at >= text.length() || text.charAt(from) != '-') return -1;
    while (at < text.length() && Character.isDigit(text.charAt(at))) at++;
    return at == from + 1 ? -1 : at;
  }

  String of(Origin origin) {
    return topics.isEmpty() ? "" : topics.get(indexOf(topics, origin));
  }
}
