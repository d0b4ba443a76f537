package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.QueueLimit;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.QueueRanks;
import io.sluice.guarantees.scenario.Topics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Model of the queues of all partitions, as the manual defines them, and optionally with a flaw. It
 * makes a history of random traffic with floods.
 */
final class ModelQueue {
  /** Difference between the model and the manual. */
  enum Flaw {
    NONE,
    NO_CLASSES,
    CLASSES_UPSIDE_DOWN,
    NO_AGING,
    NO_SHARES,
    NO_WEIGHTS
  }

  private static final long PAUSE_MS = 25;

  private final HandMade run;
  private final Flaw flaw;
  private final SplittableRandom random;
  private final Map<String, Deque<Waiting>> lines = new LinkedHashMap<>();
  private final Map<String, Bucket> buckets = new HashMap<>();
  private final Map<String, Map<Integer, Shares>> shares = new HashMap<>();

  /**
   * Event in line.
   *
   * @param gate first bucket on the event's partition, where it competes with others
   */
  private record Waiting(Kept input, long cameMs, List<Bucket> buckets, String gate) {
    Described event() {
      return input.event();
    }
  }

  /** Permits that a bucket has given away. */
  private static final class Bucket {
    private final String name;
    private final QueueLimit limit;
    private final Deque<long[]> charges = new ArrayDeque<>();
    private long arrivalMs;

    Bucket(String name, QueueLimit limit) {
      this.name = name;
      this.limit = limit;
    }

    boolean conforms(long cost, long nowMs) {
      if (limit.algorithm() == Limit.Algorithm.FUNNEL) return conformsMs(cost) <= nowMs;
      while (!charges.isEmpty() && charges.peek()[0] <= nowMs - limit.periodMs()) charges.poll();
      return charges.stream().mapToLong(each -> each[1]).sum() + cost <= limit.permits();
    }

    private long conformsMs(long cost) {
      return arrivalMs + (cost - limit.burst()) * intervalMs();
    }

    private long intervalMs() {
      return limit.periodMs() / limit.permits();
    }

    void charge(long cost, long nowMs) {
      long slotMs = Math.max(conformsMs(cost), nowMs - QueueLimits.TICK_MS);
      arrivalMs = Math.max(arrivalMs, slotMs) + cost * intervalMs();
      charges.add(new long[] {nowMs, cost});
    }
  }

  /** Tags of start-time fair queueing. */
  private static final class Shares {
    private double now;
    private final Map<String, Double> nextStart = new HashMap<>();

    double start(String tenant) {
      return Math.max(now, nextStart.getOrDefault(tenant, 0.0));
    }

    void serve(String tenant, double share) {
      now = start(tenant);
      nextStart.put(tenant, now + share);
    }
  }

  ModelQueue(HandMade run, Flaw flaw, long seed) {
    this.run = run;
    this.flaw = flaw;
    random = new SplittableRandom(seed);
  }

  /** Runs the model for some time, and then until no event waits. */
  void run(long lastMs) {
    for (long ms = 0; ms < lastMs || !lines.isEmpty(); ms += PAUSE_MS) {
      List<Waiting> arrived = new ArrayList<>();
      if (ms < lastMs) arrive(ms, arrived);
      Set<Kept> left = release(ms);
      for (Waiting each : arrived) {
        if (!left.contains(each.input())) run.queued(each.input(), ms, 300);
      }
    }
  }

  private void arrive(long ms, List<Waiting> arrived) {
    if (ms % 12_000 == 0) flood(ms, arrived);
    if (random.nextInt(8) == 0) add(any(ms), arrived);
    if (ms % 10_000 == 5_000) for (int i = 0; i < 50; i++) add(page(ms), arrived);
  }

  private void flood(long ms, List<Waiting> arrived) {
    String user = user();
    String priority = priority();
    for (String tenant : QueueRanks.TENANTS) {
      for (int i = 0; i < 30; i++)
        add(event(user, QueueLimits.PARCEL, ms).of(priority, tenant), arrived);
    }
  }

  private Described any(long ms) {
    List<String> actions = List.of(QueueLimits.PARCEL, QueueLimits.TEXT, QueueLimits.PAGE);
    return event(user(), actions.get(random.nextInt(3)), ms).of(priority(), tenant());
  }

  private Described page(long ms) {
    return event(user(), QueueLimits.PAGE, ms).of(priority(), tenant());
  }

  private Described event(String user, String action, long ms) {
    long atMs = NOON_MS + ms;
    String target = "target" + random.nextInt(2);
    long cost = random.nextInt(10) > 0 ? 1 : 2;
    return new Described(0, action, user, target, "", atMs, atMs, cost, Described.Kind.EVENT);
  }

  private String user() {
    return "user" + random.nextInt(6);
  }

  private String priority() {
    return QueueRanks.CLASSES.get(random.nextInt(QueueRanks.CLASSES.size()));
  }

  private String tenant() {
    return QueueRanks.TENANTS.get(random.nextInt(QueueRanks.TENANTS.size()));
  }

  private void add(Described like, List<Waiting> arrived) {
    Kept input = run.inputLike(like);
    List<Bucket> all = bucketsOf(input.event());
    String gate = all.get(0).name + " of " + Topics.home(input.event().user());
    Waiting waiting = new Waiting(input, input.event().publishedAtMs(), all, gate);
    lines.computeIfAbsent(TimeInLine.line(input.event()), line -> new ArrayDeque<>()).add(waiting);
    arrived.add(waiting);
  }

  /** Asks the first events of all lines, in order; returns those that leave. */
  private Set<Kept> release(long ms) {
    Set<Kept> left = new HashSet<>();
    Set<Bucket> closed = new HashSet<>();
    for (Optional<Waiting> next = next(closed, ms); next.isPresent(); next = next(closed, ms)) {
      Waiting head = next.get();
      List<Bucket> refusing =
          head.buckets().stream()
              .filter(each -> !each.conforms(head.event().cost(), NOON_MS + ms))
              .toList();
      closed.addAll(refusing);
      if (!refusing.isEmpty()) continue;
      leave(head, ms);
      left.add(head.input());
    }
    return left;
  }

  private void leave(Waiting head, long ms) {
    Described event = head.event();
    String weighed = flaw == Flaw.NO_WEIGHTS ? "" : event.tenant();
    Shares of = sharesOf(head, ms);
    of.serve(event.tenant(), (double) event.cost() / QueueRanks.weight(weighed));
    for (Bucket each : head.buckets()) each.charge(event.cost(), NOON_MS + ms);
    String line = TimeInLine.line(event);
    lines.get(line).poll();
    if (lines.get(line).isEmpty()) lines.remove(line);
    run.released(head.input(), ms);
  }

  private Optional<Waiting> next(Set<Bucket> closed, long ms) {
    return lines.values().stream()
        .map(Deque::peek)
        .filter(each -> each.buckets().stream().noneMatch(closed::contains))
        .min(
            Comparator.<Waiting>comparingInt(each -> rank(each, ms))
                .thenComparingDouble(each -> start(each, ms))
                .thenComparingLong(each -> each.input().number()));
  }

  private int rank(Waiting event, long ms) {
    long waitedMs = flaw == Flaw.NO_AGING ? 0 : NOON_MS + ms - event.cameMs();
    int rank = QueueRanks.rank(event.event(), waitedMs);
    if (flaw == Flaw.NO_CLASSES) return 0;
    return flaw == Flaw.CLASSES_UPSIDE_DOWN ? -rank : rank;
  }

  private double start(Waiting event, long ms) {
    return flaw == Flaw.NO_SHARES ? 0 : sharesOf(event, ms).start(event.event().tenant());
  }

  private Shares sharesOf(Waiting event, long ms) {
    return shares
        .computeIfAbsent(event.gate(), gate -> new HashMap<>())
        .computeIfAbsent(rank(event, ms), rank -> new Shares());
  }

  private List<Bucket> bucketsOf(Described event) {
    return QueueLimits.of(event).stream()
        .map(
            limit ->
                buckets.computeIfAbsent(limit.bucketOf(event), name -> new Bucket(name, limit)))
        .toList();
  }
}
