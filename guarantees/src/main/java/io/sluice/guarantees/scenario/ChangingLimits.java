package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;

/**
 * The limits that revisions change while a run goes on. No other limit is for their actions, so no
 * other bound depends on them. Each has the name of its action.
 */
public final class ChangingLimits {
  /** Its quota changes; it counts in the state store. */
  public static final String STORED = "tune";

  /** Its quota changes; it counts in Redis. */
  public static final String IN_REDIS = "retune";

  /** Its verdict on some users changes, and nobody exceeds it. */
  public static final String VERDICTS = "flip";

  public static final List<String> ALL = List.of(STORED, IN_REDIS, VERDICTS);

  /** The permits that the file says; those of revisions are others, each its own. */
  public static final long PERMITS_OF_FILE = 999;

  /** How many users there are on whom the verdict changes. */
  public static final int USERS = 6;

  /** A further user, for the revision that a sleeping instance misses. */
  public static final String SLEPT_OVER = "flip" + USERS;

  private static final String PERIOD = "10s";

  private ChangingLimits() {}

  public static boolean isFor(Described event) {
    return !event.isPoison() && ALL.contains(event.action());
  }

  /** One of those on whom the verdict changes. */
  public static String user(int number) {
    return "flip" + number;
  }

  /** The text of a quota. */
  public static String quota(long permits) {
    return permits + "/" + PERIOD;
  }

  /** A revision by which one user is refused, for good unless it is taken back. */
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
