package io.sluice.streams;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.PlainText;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Immutable action of a user, which an application derives from a record so that limits can match
 * and count the record.
 *
 * <p>Defaults: the id and the time are those of the record, the cost is 1, and there is no target
 * and no attribute.
 *
 * <p>Methods that take a text throw an {@link IllegalArgumentException} if it has an unpaired
 * surrogate: limits count by the UTF-8 form, in which such texts are not distinct.
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
        what
            + " contains half of a surrogate pair, which UTF-8 cannot encode: "
            + PlainText.of(text));
  }

  /**
   * Creates an action of a user.
   *
   * @param userId the user who acts: the {@code userId} of limits
   * @param name the kind of action: the {@code action} of limits
   * @throws NullPointerException if an argument is null
   */
  public static Action of(String userId, String name) {
    return new Action(userId, name, "", Optional.empty(), 1, "", Map.of());
  }

  /**
   * Returns a copy with an id. Another record with the same user, action name and id is a
   * duplicate, which is treated as {@code sluice.duplicates} says. Without an id, each record is a
   * separate action.
   */
  public Action withId(String given) {
    return new Action(userId, name, given, time, cost, target, attributes);
  }

  /** Returns a copy that happened at the given time instead of at the record's timestamp. */
  public Action at(Instant given) {
    return new Action(userId, name, id, Optional.of(given), cost, target, attributes);
  }

  /**
   * Returns a copy with a cost in permits. An action with a cost below {@code
   * sluice.event.cost.min} is invalid.
   */
  public Action withCost(long given) {
    return new Action(userId, name, id, time, given, target, attributes);
  }

  /** Returns a copy with a target: the person or thing that the action is aimed at. */
  public Action withTarget(String given) {
    return new Action(userId, name, id, time, cost, given, attributes);
  }

  /** Returns a copy with one more attribute, which replaces an attribute of the same name. */
  public Action with(String attribute, String value) {
    key(attribute, "the name of an attribute");
    Map<String, String> more = new HashMap<>(attributes);
    more.put(attribute, key(value, "the attribute " + PlainText.of(attribute)));
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
