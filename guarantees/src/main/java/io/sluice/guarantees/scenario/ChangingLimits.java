package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits that revisions change during a run. No other limit matches their actions, so no other
 * bound depends on them. Each limit has the name of its action.
 */
public final class ChangingLimits {
  /** Limit in the state store whose quota changes. */
  public static final String STORED = "tune";

  /** Limit in Redis whose quota changes. */
  public static final String IN_REDIS = "retune";

  /** Limit whose verdict on some users changes; its quota is never exceeded. */
  public static final String VERDICTS = "flip";

  public static final List<String> ALL = List.of(STORED, IN_REDIS, VERDICTS);

  /** Permits in the configuration; each revision sets another number. */
  public static final long PERMITS_OF_FILE = 999;

  /** Number of users for whom the verdict changes. */
  public static final int USERS = 6;

  /** Additional user, for the revision that a frozen instance misses. */
  public static final String SLEPT_OVER = "flip" + USERS;

  private static final String PERIOD = "10s";

  private ChangingLimits() {}

  public static boolean isFor(Described event) {
    return !event.isPoison() && ALL.contains(event.action());
  }

  /** Returns a user for whom the verdict changes. */
  public static String user(int number) {
    return "flip" + number;
  }

  /** Returns the text of a quota. */
  public static String quota(long permits) {
    return permits + "/" + PERIOD;
  }

  /** Creates a revision that rejects one user, without an end. */
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
