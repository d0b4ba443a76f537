package io.sluice.rules.revision;

import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.KeyMissing;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Match;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * All limits over time as they are for most events, without overrides for some events. Immutable.
 */
final class WholeLimits {
  private static final Exceeded LONGEST_QUEUE =
      new Exceeded.Queue(Long.MAX_VALUE, Integer.MAX_VALUE);

  private final Map<String, Timeline> timelines;
  private final Map<String, History.Waits> someWait;
  private final long[] fromMs;
  private final Limits[] inForce;
  private final Limits[] judged;
  private final Limits ever;
  private final boolean hasOptionalKeys;
  private final boolean hasHours;

  private WholeLimits(
      Limits configured, Map<String, Timeline> timelines, Map<String, History.Waits> someWait) {
    this.timelines = timelines;
    this.someWait = someWait;
    TreeSet<Long> cuts = new TreeSet<>(List.of(Long.MIN_VALUE));
    for (Timeline each : timelines.values()) for (long cut : each.cuts()) cuts.add(cut);
    fromMs = cuts.stream().mapToLong(Long::longValue).toArray();
    inForce = overTime(configured, (timeline, ms) -> timeline.at(ms).limit());
    judged = overTime(configured, (timeline, ms) -> timeline.judgedAt(ms, timeline.judged()));
    ever = configured.withVariants(everyVariant());
    hasHours = Arrays.stream(inForce).anyMatch(Limits::haveHours);
    hasOptionalKeys = Arrays.stream(inForce).anyMatch(each -> !each.optionalKeys().isEmpty());
  }

  /**
   * Returns the limits over time that follow from an index of revisions, without overrides for some
   * events.
   */
  static WholeLimits of(Limits configured, RevisionIndex index) {
    return new WholeLimits(configured, index.wholes(), index.someWait());
  }

  /** Returns this object if the index changes no limit as a whole, else a new object. */
  WholeLimits having(Limits configured, RevisionIndex index) {
    Map<String, Timeline> others = index.wholes();
    boolean same =
        others.size() == timelines.size()
            && others.entrySet().stream()
                .allMatch(each -> timelines.get(each.getKey()) == each.getValue());
    boolean waitSame = someWait.equals(index.someWait());
    return same && waitSame ? this : new WholeLimits(configured, others, index.someWait());
  }

  private Limits[] overTime(Limits configured, BiFunction<Timeline, Long, Limit> limit) {
    Limits[] all = new Limits[fromMs.length];
    List<Limit> last = List.of();
    for (int i = 0; i < fromMs.length; i++) {
      List<Limit> now = at(fromMs[i], limit);
      boolean same = i > 0 && now.equals(last);
      all[i] = same ? all[i - 1] : now.equals(configured.all()) ? configured : configured.with(now);
      last = now;
    }
    return all;
  }

  private List<Limit> at(long ms, BiFunction<Timeline, Long, Limit> limit) {
    List<Limit> limits = new ArrayList<>();
    for (Timeline each : timelines.values()) {
      if (each.at(ms).isEnabled()) limits.add(limit.apply(each, ms));
    }
    return limits;
  }

  Limits at(long ms) {
    return inForce[segment(ms)];
  }

  /** Returns the limits in force at an instant, each with the quotas and waits of all instants. */
  Limits judgedAt(long ms) {
    return judged[segment(ms)];
  }

  /** Returns whether events may ever match a limit without a field by which the limit counts. */
  boolean hasOptionalKeys() {
    return hasOptionalKeys;
  }

  /** Returns whether a limit ever has opening hours. */
  boolean haveHours() {
    return hasHours;
  }

  private int segment(long ms) {
    if (fromMs.length == 1) return 0;
    int found = Arrays.binarySearch(fromMs, ms);
    return found < 0 ? -found - 2 : found;
  }

  /**
   * Returns every limit that ever exists, in one variant for each of its matches over time. If a
   * limit ever makes some events wait, all of its variants make events wait.
   */
  Limits ever() {
    return ever;
  }

  private List<Limit> everyVariant() {
    Set<Limit> all = new LinkedHashSet<>();
    for (Limits each : inForce) all.addAll(each.resolved());
    if (fromMs.length == 1 && someWait.isEmpty()) return List.copyOf(all);
    Set<String> waiting = new TreeSet<>();
    someWait.forEach(
        (name, some) -> {
          if (some.delayed()) waiting.add(name);
        });
    for (Limit each : all) if (each.rule().shapes()) waiting.add(each.name());
    Map<Kind, Limit> variants = new LinkedHashMap<>();
    for (Limit each : all) {
      Limit variant = variant(each, waiting.contains(each.name()));
      variants.putIfAbsent(Kind.of(variant), variant);
      queueOfSome(each).ifPresent(queue -> variants.putIfAbsent(Kind.of(queue), queue));
    }
    return List.copyOf(variants.values());
  }

  /**
   * Key by which {@link WholeLimits#ever} lists each variant of a limit once: the settings that the
   * limit has at two instants are the same variant if they are equal in these properties. Quotas
   * are left out, since revisions may give a limit thousands of them.
   */
  private record Kind(
      String name,
      Match match,
      LimitKey key,
      Backend backend,
      boolean shapes,
      boolean shadow,
      Class<?> exceeded,
      boolean fallsBack,
      KeyMissing keyMissing,
      boolean hasHours) {
    static Kind of(Limit limit) {
      Rule rule = limit.rule();
      return new Kind(
          limit.name(),
          limit.match(),
          limit.key(),
          limit.backend(),
          rule.shapes(),
          rule.shadow(),
          limit.exceeded().getClass(),
          limit.fallsBack(),
          limit.keyMissing(),
          !limit.hours().areAlways());
    }
  }

  /** Returns the limit with a queue, if revisions may give it one for some events only. */
  private Optional<Limit> queueOfSome(Limit limit) {
    History.Waits some = someWait.getOrDefault(limit.name(), History.Waits.NONE);
    boolean queues = some.queued() || limit.exceeded().kind() == Exceeded.Kind.QUEUE;
    boolean enforced = some.enforced() || !limit.rule().shadow();
    if (limit.queues() || !queues || !enforced) return Optional.empty();
    Rule own = limit.rule();
    Rule same = new Rule(own.name(), own.quota(), own.algorithm(), 0, false, false);
    return Optional.of(limit.with(same).with(LONGEST_QUEUE));
  }

  private static Limit variant(Limit limit, boolean waits) {
    Rule own = limit.rule();
    boolean canWait = own.algorithm().canReserve();
    Rule same =
        new Rule(
            own.name(),
            own.quota(),
            own.algorithm(),
            waits && canWait ? Math.max(1, own.patienceMicros()) : 0,
            false,
            own.shadow());
    return limit.with(same);
  }
}
