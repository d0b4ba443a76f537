package io.sluice.rules.limit;

import io.sluice.limiter.EventHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Match.Values;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Order in which the events in line leave: classes by priority, aging, and fair shares of tenants.
 * Immutable.
 */
public final class QueueOrder {
  /** Name of the class of all events whose value has no class of its own. */
  public static final String OTHERS = "*";

  /** Maximum number of classes, because the row of a waiting event has one byte for its class. */
  public static final int MOST_CLASSES = 100;

  /** Largest weight of a tenant. */
  public static final int MOST_WEIGHT = 1_000_000;

  /** Time in line after which an event competes in the next higher class, milliseconds. */
  public static final long DEFAULT_AGING_MS = 600_000;

  /** One class, and no shares. */
  public static final QueueOrder ARRIVAL =
      new QueueOrder(
          Optional.empty(),
          List.of(),
          DEFAULT_AGING_MS,
          Optional.empty(),
          Map.<String, Integer>of());

  /** Number of tenants of events that have none. */
  private static final long NO_TENANT = 0;

  private final Optional<Field> priority;
  private final List<String> classes;
  private final long agingMs;
  private final Optional<Field> fair;
  private final Map<String, Integer> weights;
  private final Map<String, Integer> ranks;
  private final int rankOfOthers;
  private final Map<Long, Integer> weightsByTenant;

  /**
   * @param priority field whose value gives the class of an event
   * @param classes names of the classes, highest first, as {@link #nameOfClass} returns them; if
   *     {@link #OTHERS} is not among them, it follows as the lowest class
   * @param agingMs time in line after which an event competes in the next higher class,
   *     milliseconds; 0 if events stay in their classes
   * @param fair field with the tenant of an event
   * @param weights weights of tenants, by the value of the field; 1 for all others
   * @throws IllegalArgumentException if a class has no name, or there are too many
   */
  public QueueOrder(
      Optional<Field> priority,
      List<String> classes,
      long agingMs,
      Optional<Field> fair,
      Map<String, Integer> weights) {
    this.priority = priority;
    this.classes = complete(classes);
    this.agingMs = agingMs;
    this.fair = fair;
    this.weights = Map.copyOf(weights);
    if (this.classes.size() > MOST_CLASSES)
      throw new IllegalArgumentException("more than " + MOST_CLASSES + " classes");
    ranks = new HashMap<>();
    for (int rank = 0; rank < this.classes.size(); rank++) {
      String name = this.classes.get(rank);
      if (!name.equals(OTHERS)) ranks.put(valueOf(name), rank);
    }
    rankOfOthers = this.classes.indexOf(OTHERS);
    weightsByTenant = new HashMap<>();
    weights.forEach((value, weight) -> weightsByTenant.put(hash(value), weight));
  }

  /** Returns the classes of a list that may lack the class of all other events. */
  private static List<String> complete(List<String> classes) {
    return classes.contains(OTHERS)
        ? List.copyOf(classes)
        : Stream.concat(classes.stream(), Stream.of(OTHERS)).toList();
  }

  /**
   * Returns the name of the class that a text of the configuration means: {@link #OTHERS}, or one
   * value, which is written as in the match of a limit.
   *
   * @throws IllegalArgumentException if the text is not the name of a class; the message says what
   *     is accepted
   */
  public static String nameOfClass(String text) {
    if (text.equals(OTHERS)) return text;
    return value(text)
        .map(values -> values.texts().get(0))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "a class is one value, or * for all others; \\\\! and \\\\* are the"
                        + " characters"));
  }

  private static Optional<Values> value(String text) {
    if (text.isEmpty() || text.startsWith("!")) return Optional.empty();
    try {
      return Optional.of(Values.of(false, List.of(text)))
          .filter(values -> values.prefixes().isEmpty());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String valueOf(String name) {
    return value(name)
        .orElseThrow(() -> new IllegalArgumentException("not a class: " + name))
        .exact()
        .iterator()
        .next();
  }

  /** Returns the field whose value gives the class of an event; empty if there is one class. */
  public Optional<Field> priority() {
    return priority;
  }

  /** Returns the names of all classes, highest first; at least one. */
  public List<String> classes() {
    return classes;
  }

  /**
   * Returns the time in line after which an event competes in the next higher class, milliseconds;
   * 0 if events stay in their classes.
   */
  public long agingMs() {
    return agingMs;
  }

  /** Returns the field with the tenant of an event; empty if tenants have no shares. */
  public Optional<Field> fair() {
    return fair;
  }

  /** Returns the weights of tenants, by the value of the field. */
  public Map<String, Integer> weights() {
    return weights;
  }

  /** Returns whether the events of a class leave by the shares of their tenants. */
  public boolean isFair() {
    return fair.isPresent();
  }

  /** Returns the fields of events that the order depends on. */
  public List<Field> fields() {
    List<Field> fields = new ArrayList<>();
    priority.ifPresent(fields::add);
    fair.ifPresent(fields::add);
    return fields;
  }

  /** Returns the names of the attributes of events that the order depends on. */
  public Set<String> attributes() {
    return fields().stream()
        .filter(field -> field.kind() == Field.Kind.ATTRIBUTE)
        .map(Field::attribute)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns the number of classes, at least 1. */
  public int classCount() {
    return classes.size();
  }

  /**
   * Returns the name of a class. A rank beyond the last, from a time with more classes, is the last
   * class.
   *
   * @param rank number of the class; 0 is the highest
   */
  public String className(int rank) {
    return classes.get(Math.min(rank, classes.size() - 1));
  }

  /** Returns the number of an event's class; 0 is the highest. */
  public int rankOf(Event event) {
    return priority.isEmpty() ? 0 : ranks.getOrDefault(priority.get().of(event), rankOfOthers);
  }

  /**
   * Returns the hash of an event's tenant, which is not 0; 0 if tenants have no shares. All events
   * without the field have the same tenant.
   */
  public long tenantOf(Event event) {
    return fair.isEmpty() ? NO_TENANT : hash(fair.get().of(event));
  }

  private static long hash(String tenant) {
    long hash = EventHash.of(tenant);
    return hash == NO_TENANT ? 1 : hash;
  }

  /** Returns the weight of the tenant with this hash. */
  public int weightOf(long tenant) {
    return weightsByTenant.getOrDefault(tenant, 1);
  }
}
