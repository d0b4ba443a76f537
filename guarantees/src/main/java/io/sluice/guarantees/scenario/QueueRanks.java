package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Classes and tenants of events in line: the settings of Sluice, and the rank and the weight that
 * follow from them.
 */
public final class QueueRanks {
  /** Class of all events whose value is not the name of another class. */
  public static final String OTHERS = "*";

  /** Names of the classes, highest first. */
  public static final List<String> CLASSES = List.of("otp", "transactional", OTHERS, "marketing");

  /**
   * Time in line after which an event competes in the next higher class, in milliseconds; so short
   * that floods wait for longer.
   */
  public static final long AGING_MS = 20_000;

  /** Tenants of events, some of which also have none, which is a tenant of its own. */
  public static final List<String> TENANTS = List.of("t1", "t2", "t3");

  private static final Map<String, Integer> WEIGHTS = Map.of("t1", 3);

  private QueueRanks() {}

  /** Returns the number of an event's class; 0 is the highest. */
  public static int rank(Described event) {
    int rank = CLASSES.indexOf(event.priority());
    return rank < 0 ? CLASSES.indexOf(OTHERS) : rank;
  }

  /**
   * Returns the number of the class in which an event competes after it has waited.
   *
   * @param waitedMs time in line in milliseconds; a negative time counts as 0
   */
  public static int rank(Described event, long waitedMs) {
    return (int) Math.max(0, rank(event) - Math.max(0, waitedMs) / AGING_MS);
  }

  /** Returns the weight of a tenant's share. */
  public static int weight(String tenant) {
    return WEIGHTS.getOrDefault(tenant, 1);
  }

  static List<String> settings() {
    List<String> lines = new ArrayList<>();
    lines.add("sluice.queue.priority=attributes.class");
    lines.add("sluice.queue.priorities=" + String.join(",", CLASSES));
    lines.add("sluice.queue.aging=" + AGING_MS + "ms");
    lines.add("sluice.queue.fair=attributes.tenant");
    WEIGHTS.forEach((tenant, weight) -> lines.add("sluice.queue.weight." + tenant + "=" + weight));
    return lines;
  }
}
