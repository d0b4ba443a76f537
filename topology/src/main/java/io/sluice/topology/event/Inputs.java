package io.sluice.topology.event;

import java.util.List;

/** The topics that events come in by, and which of them an event came in by. Immutable. */
record Inputs(List<String> topics) {
  Inputs {
    topics = List.copyOf(topics);
  }

  /**
   * The place of the topic in coordinates such as {@code topic-partition-offset}. It is the first
   * one for those that name no input: perhaps it is one no more, and anybody may write a header.
   */
  static int indexOf(List<String> topics, Origin origin) {
    for (int i = 1; i < topics.size(); i++) {
      if (isOf(topics.get(i), origin.toString())) return i;
    }
    return 0;
  }

  /** The name may end with numbers itself, so all that follows is looked at. */
  private static boolean isOf(String topic, String origin) {
    if (!origin.startsWith(topic)) return false;
    int offset = afterNumber(origin, topic.length());
    return offset > 0 && afterNumber(origin, offset) == origin.length();
  }

  /** Where a dash and digits end that begin here; -1 if there are none. */
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
