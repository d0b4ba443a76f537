package io.sluice.rules.revision;

import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limits;
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
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * All limits over time as they are for most events, without overrides for some events. Immutable.
 */
final class WholeLimits {
  private static final Exceeded LONGEST_QUEUE =
      new Exceeded.Queue(Long.MAX_VALUE, Integer.MAX_VALUE);

  private final Limits configured;
  private final Map<String, Timeline> timelines;
  private final Map<String, History.Waits> someWait;
  private final long[] fromMs;

  /*
   * Limits in each segment (period between two changes), made when they are first needed: there may
   * be thousands of segments, and few of them are. Two threads that make them at once make equal
   * ones.
   */
  private final Limits[] inForce;
  private final Limits[] judged;
  private final Limits ever;
  private final boolean hasOptionalKeys;
  private final boolean hasHours;

  private WholeLimits(
      Limits configured, Map<String, Timeline> timelines, Map<String, History.Waits> someWait) {
    this.configured = configured;
    this.timelines = timelines;
    this.someWait = someWait;
    fromMs = instants(Timeline::cuts);
    inForce = new Limits[fromMs.length];
    judged = new Limits[fromMs.length];
    List<Limits> kinds = new ArrayList<>();
    for (long ms : instants(Timeline::kindCuts)) kinds.add(madeAt(ms));
    ever = configured.withVariants(everyVariant(kinds));
    hasHours = kinds.stream().anyMatch(Limits::haveHours);
    hasOptionalKeys = kinds.stream().anyMatch(each -> !each.optionalKeys().isEmpty());
  }

  private long[] instants(Function<Timeline, long[]> cuts) {
    return LongStream.concat(
            LongStream.of(Long.MIN_VALUE),
            timelines.values().stream().map(cuts).flatMapToLong(LongStream::of))
        .sorted()
        .distinct()
        .toArray();
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

  private Limits limits(long ms, BiFunction<Timeline, Long, Limit> limit) {
    List<Limit> limits = new ArrayList<>();
    for (Timeline each : timelines.values()) {
      if (each.at(ms).isEnabled()) limits.add(limit.apply(each, ms));
    }
    return limits.equals(configured.all()) ? configured : configured.with(limits);
  }

  private Limits madeAt(long ms) {
    return limits(ms, (timeline, at) -> timeline.at(at).limit());
  }

  Limits at(long ms) {
    int segment = segment(ms);
    Limits made = inForce[segment];
    if (made == null) {
      made = madeAt(fromMs[segment]);
      inForce[segment] = made;
    }
    return made;
  }

  /** Returns the limits in force at an instant, each with the quotas and waits of all instants. */
  Limits judgedAt(long ms) {
    int segment = segment(ms);
    Limits made = judged[segment];
    if (made == null) {
      made = limits(fromMs[segment], (timeline, at) -> timeline.judgedAt(at, timeline.judged()));
      judged[segment] = made;
    }
    return made;
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

  /**
   * @param kinds limits at the start, and whenever more than their quotas and waits has changed
   */
  private List<Limit> everyVariant(List<Limits> kinds) {
    Set<Limit> all = new LinkedHashSet<>();
    for (Limits each : kinds) all.addAll(each.resolved());
    if (fromMs.length == 1 && someWait.isEmpty()) return List.copyOf(all);
    Set<String> waiting = new TreeSet<>();
    someWait.forEach(
        (name, some) -> {
          if (some.delayed()) waiting.add(name);
        });
    for (Limit each : all) if (each.rule().shapes()) waiting.add(each.name());
    Map<LimitKind, Limit> variants = new LinkedHashMap<>();
    for (Limit each : all) {
      Limit variant = variant(each, waiting.contains(each.name()));
      variants.putIfAbsent(LimitKind.of(variant), variant);
      queueOfSome(each).ifPresent(queue -> variants.putIfAbsent(LimitKind.of(queue), queue));
    }
    return List.copyOf(variants.values());
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
