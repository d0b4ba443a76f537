package io.sluice.streams;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.PlainText;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that a user does: what limits match and count by. Immutable.
 *
 * <p>What is not given: the id is that of the record, the time is the record's timestamp, the cost
 * is 1, and there is no target and no attribute.
 *
 * <p>Texts are counted by in UTF-8, which cannot hold half of a surrogate pair: any method that is
 * given such a text throws an {@link IllegalArgumentException}.
 */
public final class Action {
  private final String userId;
  private final String name;
  private final String id;
  private final Optional<Instant> time;
  private final long cost;
  private final String target;
  private final Map<String, String> attributes;

  private Action(
      String userId,
      String name,
      String id,
      Optional<Instant> time,
      long cost,
      String target,
      Map<String, String> attributes) {
    this.userId = key(userId, "the user of an action");
    this.name = key(name, "the name of an action");
    this.id = key(id, "the id of an action");
    this.time = time;
    this.cost = cost;
    this.target = key(target, "the target of an action");
    this.attributes = attributes;
  }

  private static String key(String text, String what) {
    if (Bucket.isKey(Objects.requireNonNull(text, what))) return text;
    throw new IllegalArgumentException(
        what + " holds half of a surrogate pair, which UTF-8 cannot: " + PlainText.of(text));
  }

  /**
   * An action of a user.
   *
   * @param userId who acts: the {@code userId} of limits
   * @param name what is done: the {@code action} of limits
   * @throws NullPointerException if one of them is null
   */
  public static Action of(String userId, String name) {
    return new Action(userId, name, "", Optional.empty(), 1, "", Map.of());
  }

  /**
   * With an id. Another record of the same user, action and id is a duplicate, for which {@code
   * sluice.duplicates} decides. Without one, every record is an action of its own.
   */
  public Action withId(String given) {
    return new Action(userId, name, given, time, cost, target, attributes);
  }

  /** With the time at which it happened, if that is not the record's timestamp. */
  public Action at(Instant given) {
    return new Action(userId, name, id, Optional.of(given), cost, target, attributes);
  }

  /** With another cost than 1, in permits; at least {@code sluice.event.cost.min}. */
  public Action withCost(long given) {
    return new Action(userId, name, id, time, given, target, attributes);
  }

  /** With whom or what it is aimed at. */
  public Action withTarget(String given) {
    return new Action(userId, name, id, time, cost, given, attributes);
  }

  /** With an attribute more. */
  public Action with(String attribute, String value) {
    key(attribute, "the name of an attribute");
    Map<String, String> more = new HashMap<>(attributes);
    more.put(attribute, key(value, "the attribute " + attribute));
    return new Action(userId, name, id, time, cost, target, Map.copyOf(more));
  }

  String userId() {
    return userId;
  }

  String name() {
    return name;
  }

  String id() {
    return id;
  }

  Optional<Instant> time() {
    return time;
  }

  long cost() {
    return cost;
  }

  String target() {
    return target;
  }

  Map<String, String> attributes() {
    return attributes;
  }
}
