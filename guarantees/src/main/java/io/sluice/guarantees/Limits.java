package io.sluice.guarantees;

import static io.sluice.guarantees.Limit.Algorithm.COUNTER;
import static io.sluice.guarantees.Limit.Algorithm.FUNNEL;
import static io.sluice.guarantees.Limit.Algorithm.LOG;
import static io.sluice.guarantees.Limit.Exceeded.DELAY;
import static io.sluice.guarantees.Limit.Exceeded.REJECT;
import static io.sluice.guarantees.Limit.Exceeded.RETRY;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The limits of a run: every algorithm, both backends, and all that can be done to an event. */
final class Limits {
  static final List<Limit> ALL =
      List.of(
          new Limit("reply", "reply", LOG, true, false, 5, 2_000, 0, REJECT),
          new Limit("like", "like", FUNNEL, true, false, 6, 3_000, 4, REJECT),
          new Limit("search", "search", COUNTER, true, false, 8, 2_000, 0, REJECT),
          new Limit("mail", "mail", FUNNEL, true, false, 2, 1_000, 1, DELAY),
          new Limit("post", "post", FUNNEL, false, false, 4, 2_000, 3, REJECT),
          new Limit("view", "view", COUNTER, false, false, 10, 2_000, 0, REJECT),
          new Limit("sms", "sms", FUNNEL, false, false, 2, 1_000, 1, DELAY),
          new Limit("fax", "fax", LOG, false, false, 2, 1_000, 0, DELAY),
          new Limit("call", "call", FUNNEL, false, false, 2, 1_000, 2, RETRY),
          new Limit("pay-user", "pay", LOG, false, false, 4, 2_000, 0, REJECT),
          new Limit("pay-target", "pay", FUNNEL, true, true, 8, 2_000, 6, REJECT));

  /** An action that no limit is for. */
  static final String UNMATCHED = "look";

  /*
   * A limit that only watches, and that nobody exceeds, is a clock that can be read afterwards: it is
   * a counter, so `reset-after` says how far the instant at which the event was judged is from the
   * end of an hour. There is one beside the limits of each backend, so that no event asks a backend
   * that it would not ask anyway.
   */
  static final String STORED_CLOCK = "stored-clock";
  static final String REDIS_CLOCK = "redis-clock";
  static final long CLOCK_PERIOD_MS = 3_600_000;

  private Limits() {}

  static List<String> actions() {
    return Stream.concat(ALL.stream().map(Limit::action), Stream.of(UNMATCHED)).distinct().toList();
  }

  static List<Limit> of(String action) {
    return ALL.stream().filter(limit -> limit.action().equals(action)).toList();
  }

  /** Whether an action's events may leave in another order than they came in. */
  static boolean keepsOrder(String action) {
    return of(action).stream().noneMatch(limit -> limit.exceeded() == RETRY);
  }

  /** Whether any limit for these events counts beside the partition. */
  static boolean isStored(String action) {
    return of(action).stream().anyMatch(limit -> !limit.inRedis());
  }

  static List<String> settings() {
    List<String> names = new ArrayList<>(ALL.stream().map(Limit::name).toList());
    names.add(STORED_CLOCK);
    names.add(REDIS_CLOCK);
    List<String> lines = new ArrayList<>();
    lines.add("sluice.limits=" + String.join(",", names));
    for (Limit limit : ALL) lines.addAll(limit.settings());
    lines.addAll(clock(STORED_CLOCK, false));
    lines.addAll(clock(REDIS_CLOCK, true));
    return lines;
  }

  private static List<String> clock(String name, boolean inRedis) {
    List<String> actions =
        actions().stream()
            .filter(action -> !of(action).isEmpty() && isStored(action) != inRedis)
            .toList();
    String prefix = "sluice.limit." + name + ".";
    return List.of(
        prefix + "match.action=" + String.join(",", actions),
        prefix + "quota=2147483648/" + CLOCK_PERIOD_MS + "ms",
        prefix + "algorithm=" + COUNTER.text,
        prefix + "backend=" + (inRedis ? "redis" : "state-store"),
        prefix + "mode=shadow");
  }
}
