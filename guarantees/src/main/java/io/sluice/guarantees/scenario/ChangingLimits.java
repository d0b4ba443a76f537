package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits that are changed by revisions (dated changes) during a test run. No other limit matches
 * their actions, so the checks of other limits do not depend on them. Each limit has the name of
 * its action.
 */
public final class ChangingLimits {
  /** Name of the limit in the state store whose quota changes. */
  public static final String STORED = "tune";

  /** Name of the limit in Redis whose quota changes. */
  public static final String IN_REDIS = "retune";

  /** Name of the limit whose verdict on some users changes; its quota is never exceeded. */
  public static final String VERDICTS = "flip";

  public static final List<String> ALL = List.of(STORED, IN_REDIS, VERDICTS);

  /**
   * Permits per period in the properties file; each revision (a dated change of the limit) sets
   * another number.
   */
  public static final long PERMITS_OF_FILE = 999;

  /** Number of users for whom revisions (dated changes) set the verdict of a limit. */
  public static final int USERS = 6;

  /**
   * User for whom only one revision (a dated change of a limit) applies, which is published while
   * an instance is frozen.
   */
  public static final String SLEPT_OVER = "flip" + USERS;

  private static final String PERIOD = "10s";

  private ChangingLimits() {}

  public static boolean isFor(Described event) {
    return !event.isPoison() && ALL.contains(event.action());
  }

  /** Returns the name of a user for whom revisions (dated changes) set the verdict of a limit. */
  public static String user(int number) {
    return "flip" + number;
  }

  /** Returns a quota as text for the setting {@code quota}. */
  public static String quota(long permits) {
    return permits + "/" + PERIOD;
  }

  /**
   * Creates a revision (a dated change of a limit) that rejects all events of the user {@link
   * #SLEPT_OVER}, without an end.
   */
  public static Revision denial(String id, long fromMs) {
    return new Revision(
        id,
        VERDICTS,
        SLEPT_OVER,
        "verdict",
        "reject",
        fromMs,
        Revision.FOR_GOOD,
        Revision.Kind.HOLDS);
  }

  static List<String> settings(Modes.WithoutRedis withoutRedis) {
    List<String> lines = new ArrayList<>();
    for (String name : ALL) {
      String prefix = "sluice.limit." + name + ".";
      boolean counts = !name.equals(VERDICTS);
      lines.add(prefix + "match.action=" + name);
      lines.add(prefix + "quota=" + (counts ? quota(PERMITS_OF_FILE) : "1000000/10s"));
      lines.add(
          prefix + "algorithm=" + (counts ? Limit.Algorithm.LOG : Limit.Algorithm.FUNNEL).text);
      lines.addAll(Limit.backend(prefix, name.equals(IN_REDIS), withoutRedis));
    }
    return lines;
  }
}
