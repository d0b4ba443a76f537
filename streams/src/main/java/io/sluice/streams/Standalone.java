package io.sluice.streams;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.QueueOrder;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds settings and limits that only the standalone Sluice application supports, because it has
 * topics of its own and a {@link Throttle} has none.
 */
final class Standalone {
  private static final String INSTEAD =
      "give each action an attribute, as in Action.of(...).with(\"topic\", \"orders\"), and use"
          + " attributes.topic instead";

  private static final List<String> BEGINNINGS =
      List.of("sluice.event.", "sluice.input.", "sluice.schemas.", "sluice.http.");

  private static final Set<String> KEYS =
      Set.of(
          Keys.TOMBSTONES,
          Keys.TOPICS_INPUT,
          Keys.TOPICS_ALLOWED,
          Keys.TOPICS_REJECTED,
          Keys.TOPICS_DELAYED,
          Keys.TOPICS_DEAD_LETTER,
          Keys.TOPICS_LIMITS,
          Keys.LIMITS_LIVE);

  private Standalone() {}

  /**
   * Returns a warning that names those given settings that have no effect in a {@link Throttle};
   * empty if there are none.
   */
  static Optional<String> ignored(Set<String> given) {
    String keys = given.stream().filter(Standalone::isIgnored).sorted().collect(joining(", "));
    return keys.isEmpty()
        ? Optional.empty()
        : Optional.of("these settings have no effect on a Throttle: " + keys);
  }

  private static boolean isIgnored(String key) {
    if (key.equals(Keys.EVENT_COST_MIN)) return false;
    return KEYS.contains(key) || BEGINNINGS.stream().anyMatch(key::startsWith);
  }

  /**
   * Rejects limits that match or count by the input topic of an event, because a {@link Throttle}
   * has no input topic.
   *
   * @throws IllegalArgumentException if there are such limits; the message has one line for each
   */
  static void refuseLimits(List<Limit> limits) {
    String refused =
        limits.stream()
            .filter(Standalone::looksAtTopic)
            .map(Standalone::line)
            .collect(joining("\n"));
    if (!refused.isEmpty()) throw new IllegalArgumentException(refused);
  }

  /**
   * Rejects an order of queues by the input topic of an event, because a {@link Throttle} has no
   * input topic.
   *
   * @throws IllegalArgumentException if the order uses the topic
   */
  static void refuseOrder(QueueOrder order) {
    if (!order.fields().contains(Field.TOPIC)) return;
    throw new IllegalArgumentException(
        "sluice.queue.priority and fair: topic is not accepted, because a Throttle has no input"
            + " topic; "
            + INSTEAD);
  }

  private static boolean looksAtTopic(Limit limit) {
    return limit.key().fields().contains(Field.TOPIC)
        || limit.distinct().contains(Field.TOPIC)
        || limit.match().clauses().stream().anyMatch(clause -> clause.field().equals(Field.TOPIC));
  }

  private static String line(Limit limit) {
    return "sluice.limit."
        + limit.name()
        + ": uses the topic of an event in match, key or distinct, but a Throttle has no input topic; "
        + INSTEAD;
  }
}
