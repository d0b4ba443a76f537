package io.sluice.guarantees.scenario;

import static io.sluice.guarantees.scenario.Limit.Algorithm.BLOOM;
import static io.sluice.guarantees.scenario.Limit.Algorithm.CALENDAR;
import static io.sluice.guarantees.scenario.Limit.Algorithm.COUNTER;
import static io.sluice.guarantees.scenario.Limit.Algorithm.DISTINCT;
import static io.sluice.guarantees.scenario.Limit.Algorithm.FUNNEL;
import static io.sluice.guarantees.scenario.Limit.Algorithm.LOG;
import static io.sluice.guarantees.scenario.Limit.Algorithm.SKETCH;
import static io.sluice.guarantees.scenario.Limit.Exceeded.DELAY;
import static io.sluice.guarantees.scenario.Limit.Exceeded.REJECT;
import static io.sluice.guarantees.scenario.Limit.Exceeded.RETRY;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Limits of a test run: all algorithms, both backends, and all reactions to events over a limit.
 */
public final class Limits {
  /** Action of events that no limit matches. */
  public static final String UNMATCHED = "look";

  /** Action whose limit retries events that exceed it. */
  public static final String RETRIED = "call";

  /** Action with one limit in the state store and one in Redis. */
  public static final String ON_BOTH = "pay";

  public static final long CLOCK_PERIOD_MS = 24 * 3_600_000;

  private static final long HOUR_MS = 3_600_000;

  /** All actions of ordinary events, the same in all modes. */
  private static final List<String> ACTIONS =
      Stream.concat(all(Modes.plain()).stream().map(Limit::action), Stream.of(UNMATCHED))
          .distinct()
          .toList();

  private final List<Limit> all;
  private final Modes.WithoutRedis withoutRedis;

  public Limits(Modes modes) {
    all = all(modes);
    withoutRedis = modes.withoutRedis();
  }

  private static List<Limit> all(Modes modes) {
    boolean tries = modes.countsTries();
    return List.of(
        new Limit("reply", "reply", LOG, true, false, 5, 2_000, 0, REJECT, tries),
        new Limit("like", "like", FUNNEL, true, false, 6, 3_000, 4, REJECT, false),
        new Limit("search", "search", COUNTER, true, false, 8, 2_000, 0, REJECT, false),
        modes.shapedLog()
            ? new Limit("mail", "mail", LOG, true, false, 2, 1_000, 0, DELAY, false)
            : new Limit("mail", "mail", FUNNEL, true, false, 2, 1_000, 1, DELAY, false),
        new Limit("post", "post", FUNNEL, false, false, 4, 2_000, 3, REJECT, false),
        new Limit("view", "view", COUNTER, false, false, 10, 2_000, 0, REJECT, tries),
        new Limit("sms", "sms", FUNNEL, false, false, 2, 1_000, 1, DELAY, false),
        new Limit("fax", "fax", LOG, false, false, 2, 1_000, 0, DELAY, false),
        new Limit("call", RETRIED, FUNNEL, false, false, 2, 1_000, 2, RETRY, false),
        new Limit("knock", "knock", LOG, false, false, 4, 1_000, 0, REJECT, false).blocking(3_000),
        new Limit("dial", "dial", FUNNEL, true, false, 4, 1_000, 4, REJECT, false).blocking(3_000),
        new Limit("order", "order", CALENDAR, false, false, 20, HOUR_MS, 0, REJECT, false),
        new Limit("trade", "trade", CALENDAR, true, false, 20, HOUR_MS, 0, REJECT, tries),
        new Limit("invite", "invite", DISTINCT, false, false, 3, 2_000, 0, REJECT, false),
        new Limit("write", "write", DISTINCT, true, false, 3, 2_000, 0, REJECT, false),
        new Limit("reach", "reach", SKETCH, false, false, 4, 6_000, 0, REJECT, false),
        new Limit("visit", "visit", SKETCH, true, false, 4, 6_000, 0, REJECT, false),
        new Limit("offer", "offer", BLOOM, false, false, 1, HOUR_MS, 0, REJECT, false),
        new Limit("greet", "greet", BLOOM, true, false, 1, HOUR_MS, 0, REJECT, false),
        new Limit("pay-user", ON_BOTH, LOG, false, false, 4, 2_000, 0, REJECT, false),
        new Limit("pay-target", ON_BOTH, FUNNEL, true, true, 8, 2_000, 6, REJECT, false));
  }

  /** Returns the name of a random action, with or without a limit. */
  public static String anyAction(SplittableRandom random) {
    return ACTIONS.get(random.nextInt(ACTIONS.size()));
  }

  /**
   * Returns a random limit on the given backend that is the only limit of its action, and neither
   * delays nor retries.
   */
  public static Limit anyOf(boolean inRedis, SplittableRandom random) {
    Limits limits = new Limits(Modes.plain());
    List<Limit> plain =
        limits.all.stream()
            .filter(limit -> limit.inRedis() == inRedis && limit.exceeded() == REJECT)
            .filter(limit -> limits.of(limit.action()).size() == 1 && limit.algorithm() != BLOOM)
            .toList();
    return plain.get(random.nextInt(plain.size()));
  }

  public List<Limit> all() {
    return all;
  }

  public List<Limit> of(String action) {
    return all.stream().filter(limit -> limit.action().equals(action)).toList();
  }

  /** Whether a limit of the action retries events, so that they may be metered again later. */
  public boolean retries(String action) {
    return of(action).stream().anyMatch(limit -> limit.exceeded() == RETRY);
  }

  public boolean isInRedis(String action) {
    return of(action).stream().anyMatch(Limit::inRedis);
  }

  /** Whether a limit of the action counts by target, so that several users share a key. */
  public boolean isShared(String action) {
    return of(action).stream().anyMatch(Limit::byTarget);
  }

  /** Returns the settings of all limits of the application that runs under faults. */
  public List<String> settings() {
    return settings(false);
  }

  /** Returns the settings of all limits of the application that replays the input. */
  public List<String> settingsOfReplay() {
    return settings(true);
  }

  private List<String> settings(boolean isReplay) {
    Map<String, List<Limit>> clocks =
        all.stream()
            .collect(Collectors.groupingBy(Limit::clock, TreeMap::new, Collectors.toList()));
    List<String> names = new ArrayList<>(all.stream().map(Limit::name).toList());
    names.addAll(clocks.keySet());
    names.addAll(ChangingLimits.ALL);
    names.addAll(QueueLimits.ALL.stream().map(QueueLimit::name).toList());
    List<String> lines = new ArrayList<>();
    lines.add("sluice.limits=" + String.join(",", names));
    for (Limit limit : all) lines.addAll(limit.settings(withoutRedis));
    clocks.forEach((name, told) -> lines.addAll(clock(name, told)));
    lines.addAll(ChangingLimits.settings(withoutRedis));
    lines.addAll(QueueLimits.settings(withoutRedis, isReplay));
    if (Ability.CLASSES.isPresent()) lines.addAll(QueueRanks.settings());
    return lines;
  }

  /*
   * Returns the settings of a shadow limit, which is never exceeded and shows the time by which
   * other limits judged an event. The shadow limit counts in periods of a day, so the reset-after
   * in its header is the distance from this time to the end of a day, and no event is a day late.
   * Charges to a key move the key's clock; the shadow limit charges the same events by the same
   * keys as the limits that it stands for, so that its clocks equal theirs.
   */
  private List<String> clock(String name, List<Limit> told) {
    Limit one = told.get(0);
    String actions = told.stream().map(Limit::action).distinct().collect(Collectors.joining(","));
    String prefix = "sluice.limit." + name + ".";
    List<String> lines = new ArrayList<>();
    lines.add(prefix + "match.action=" + actions);
    lines.add(prefix + "key=" + one.key() + ",action");
    lines.add(prefix + "quota=2147483648/" + CLOCK_PERIOD_MS + "ms");
    lines.add(prefix + "algorithm=" + COUNTER.text);
    lines.add(prefix + "mode=shadow");
    if (one.countsTries()) lines.add(prefix + "count=attempts");
    lines.addAll(Limit.backend(prefix, one.inRedis(), withoutRedis));
    return lines;
  }
}
