package io.sluice.guarantees.scenario;

import static io.sluice.guarantees.scenario.Limit.Algorithm.FUNNEL;
import static io.sluice.guarantees.scenario.Limit.Algorithm.LOG;

import java.util.ArrayList;
import java.util.List;

/**
 * Limits for which events wait in line. No other limit matches their actions, so the checks of
 * other limits do not depend on them. Their events are metered by the wall clock, in all modes.
 */
public final class QueueLimits {
  /**
   * Action with one limit for each user in the state store, and one in Redis that all partitions
   * share.
   */
  public static final String TEXT = "text";

  /** Action with only the limit in Redis that all partitions share. */
  public static final String PAGE = "page";

  /** Action with only a limit for each user in the state store, whose quota changes. */
  public static final String PARCEL = "parcel";

  /** Interval of releases in milliseconds, the default of the setting {@code sluice.delay.tick}. */
  public static final long TICK_MS = 100;

  public static final QueueLimit VENDOR =
      new QueueLimit("vendor", List.of(TEXT, PAGE), FUNNEL, true, true, 10, 10, 1_000, 5, 0, 0);

  public static final QueueLimit PHONE =
      new QueueLimit("phone", List.of(TEXT), LOG, false, false, 4, 4, 4_000, 0, 60_000, 0);

  public static final QueueLimit COURIER =
      new QueueLimit("courier", List.of(PARCEL), FUNNEL, false, false, 4, 1, 1_000, 4, 0, 40);

  public static final List<QueueLimit> ALL = List.of(VENDOR, PHONE, COURIER);

  /**
   * Factor of the quotas in the replay, which has all events at once: at the quotas of the first
   * run, it would take as long as the first run.
   */
  private static final long FACTOR_OF_REPLAY = 1_000;

  /** Number of users whose events may have to wait. */
  public static final int USERS = 10;

  private QueueLimits() {}

  /** Returns the name of a user whose events may have to wait. */
  public static String user(int number) {
    return "queuer" + number;
  }

  /** Whether events of the action may have to wait in line. */
  public static boolean isFor(String action) {
    return ALL.stream().anyMatch(limit -> limit.actions().contains(action));
  }

  /** Whether an event may have to wait in line. */
  public static boolean isFor(Described event) {
    return !event.isPoison() && isFor(event.action());
  }

  /** Returns the limits that match an event. */
  public static List<QueueLimit> of(Described event) {
    return ALL.stream().filter(limit -> limit.matches(event)).toList();
  }

  static List<String> settings(Modes.WithoutRedis withoutRedis, boolean isReplay) {
    List<String> lines = new ArrayList<>();
    for (QueueLimit each : ALL) {
      lines.addAll(each.settings(withoutRedis, isReplay ? FACTOR_OF_REPLAY : 1));
    }
    return lines;
  }
}
