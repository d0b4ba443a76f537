package io.sluice.limiter;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Generator of seeded arrivals for a few keys: bursts, pacing at the quota's own rate, instants on
 * and around the edges of windows and the instants that answers have named, a period after earlier
 * arrivals, idle gaps of up to years, records that come again, and other records that claim to be
 * the same event. Times never go back, unless events may be late.
 */
public final class Traffic {
  private static final long YEAR_MICROS = Duration.ofDays(365).toMillis() * 1_000;
  private static final int REMEMBERED = 16;
  private static final int EDGES = 8;

  /** Instant at which the answer of an event's key may change. */
  private record Edge(Event event, long atMicros) {}

  /**
   * Arrival, and the number of its key.
   *
   * @param value number that gives the values of limits that count distinct values
   */
  public record Event(int key, Arrival arrival, long value) {}

  private final SplittableRandom random;
  private final int keys;
  private final List<Quota> quotas;
  private final boolean late;
  private final boolean duplicates;
  private final Event[] recent = new Event[REMEMBERED];
  private final Edge[] edges = new Edge[EDGES];
  private int edgeCount;
  private final Queue<Edge> planned = new ArrayDeque<>();
  private Optional<Edge> aimedAt = Optional.empty();
  private Event last;
  private long nowMicros;
  private long count;
  private long hintMicros;
  private int phaseEnds;
  private boolean flood;

  /** Creates traffic that is limited by these quotas, without late events and duplicates. */
  public Traffic(long seed, int keys, List<Quota> quotas) {
    this(seed, keys, quotas, false, false);
  }

  /**
   * Creates traffic that is limited by these quotas.
   *
   * @param late whether some events come after later ones
   * @param duplicates whether some records claim to be an earlier event
   */
  public Traffic(long seed, int keys, List<Quota> quotas, boolean late, boolean duplicates) {
    this.late = late;
    this.duplicates = duplicates;
    random = new SplittableRandom(seed);
    this.keys = keys;
    this.quotas = quotas;
    nowMicros = random.nextLong(30 * YEAR_MICROS) + random.nextLong(2) * 80 * YEAR_MICROS;
  }

  /**
   * Takes a wait that was just announced: the next arrival may come exactly then, or just before.
   */
  public void hint(long waitMicros) {
    hintMicros = waitMicros;
  }

  /**
   * Takes an instant at which the answer to the last key may change: the key comes again just
   * before, at, or just after it.
   */
  public void edge(long atMicros) {
    if (atMicros > nowMicros) edges[edgeCount++ % EDGES] = new Edge(last, atMicros);
  }

  public Event next() {
    long step = step();
    if (nowMicros + step < Arrival.LATEST_MICROS) nowMicros += step;
    Event event = random.nextInt(20) == 0 ? again() : anew();
    recent[(int) (count++ % REMEMBERED)] = event;
    last = event;
    return event;
  }

  private Event anew() {
    Quota quota = quotas.get(random.nextInt(quotas.size()));
    boolean anonymous = random.nextInt(8) == 0;
    Identity identity =
        anonymous ? Identity.NONE : new Identity(random.nextLong(), random.nextInt(), true);
    int any = random.nextInt(keys);
    int key = random.nextInt(4) == 0 ? any : aimedAt.map(edge -> edge.event.key()).orElse(any);
    long other = random.nextLong();
    long value =
        random.nextBoolean() ? other : aimedAt.map(edge -> edge.event.value()).orElse(other);
    return new Event(key, new Arrival(identity, cost(quota), comesAt(quota)), value);
  }

  private long comesAt(Quota quota) {
    boolean isLate = late && random.nextInt(4) == 0;
    if (!isLate || aimedAt.isPresent()) return nowMicros;
    return Math.max(0, nowMicros - random.nextLong(2 * quota.periodMicros()));
  }

  /**
   * Returns one of the last events again, now: the same record, or one that claims to be the same
   * event, often with another value.
   */
  private Event again() {
    Event event = recent[random.nextInt(REMEMBERED)];
    if (event == null) return anew();
    Arrival first = event.arrival();
    Identity same = first.identity();
    long value = event.value();
    if (duplicates && !same.equals(Identity.NONE) && random.nextBoolean()) {
      same = new Identity(same.event(), random.nextInt(), true);
      value += random.nextInt(2);
    }
    return new Event(event.key(), new Arrival(same, first.cost(), nowMicros), value);
  }

  private long cost(Quota quota) {
    long most = Math.max(quota.burst(), quota.permits());
    return switch (random.nextInt(24)) {
      case 0 -> 0;
      case 6, 7 -> aimedAt.isPresent() ? 0 : 1; // asks: shows what is left, and charges nothing
      case 1 -> most + 1;
      case 2 -> most;
      case 3, 4, 5 -> random.nextLong(most + 1);
      default -> 1 + (most > 1_000 ? random.nextLong(most / 8) : 0);
    };
  }

  private long step() {
    if (planned.isEmpty() && random.nextInt(16) == 0) plan();
    boolean isPlanned = !planned.isEmpty();
    aimedAt = isPlanned ? Optional.of(planned.remove()) : aim();
    if (isPlanned) return aimedAt.get().atMicros - nowMicros;
    if (aimedAt.isPresent()) return Math.max(0, around(aimedAt.get()) - nowMicros);
    if (phaseEnds-- == 0) {
      phaseEnds = random.nextInt(200);
      flood = random.nextInt(4) > 0;
    }
    return flood && random.nextInt(8) > 0 ? floodStep() : anyStep();
  }

  /**
   * Plans two arrivals of a key that has been idle, and a third a period after the first, when the
   * second still counts.
   */
  private void plan() {
    if (last == null) return;
    long period = quotas.get(random.nextInt(quotas.size())).periodMicros();
    long begin = nowMicros + 2 * period;
    planned.add(new Edge(last, begin));
    planned.add(new Edge(last, begin + random.nextLong(period)));
    planned.add(new Edge(last, begin + period));
  }

  private Optional<Edge> aim() {
    return switch (random.nextInt(12)) {
      case 0, 1 -> anyEdge();
      case 2 -> aPeriodAfterAnEvent();
      default -> Optional.empty();
    };
  }

  /** Returns one of the edges to come, more often the next one. */
  private Optional<Edge> anyEdge() {
    List<Edge> ahead =
        Stream.of(edges)
            .filter(each -> each != null && each.atMicros > nowMicros)
            .sorted(Comparator.comparingLong(Edge::atMicros))
            .toList();
    if (ahead.isEmpty()) return Optional.empty();
    return Optional.of(ahead.get(random.nextInt(4) == 0 ? random.nextInt(ahead.size()) : 0));
  }

  /** Returns the next instant that is a period after one of the last events. */
  private Optional<Edge> aPeriodAfterAnEvent() {
    long period = quotas.get(random.nextInt(quotas.size())).periodMicros();
    return Stream.of(recent)
        .filter(each -> each != null && each.arrival().nowMicros() + period > nowMicros)
        .map(each -> new Edge(each, each.arrival().nowMicros() + period))
        .min(Comparator.comparingLong(Edge::atMicros));
  }

  private long around(Edge edge) {
    return switch (random.nextInt(6)) {
      case 0, 1 -> edge.atMicros - 1;
      case 2 -> edge.atMicros + 1;
      default -> edge.atMicros;
    };
  }

  /** Returns a step that is small beside a period, so that the quota is used up. */
  private long floodStep() {
    Quota quota = quotas.get(random.nextInt(quotas.size()));
    long interval = quota.periodMicros() / quota.permits();
    return switch (random.nextInt(8)) {
      case 0 -> Math.max(0, hintMicros - random.nextInt(3)) >> (2 * random.nextInt(8));
      case 1 -> random.nextLong(interval + 1) / 2;
      case 2 -> random.nextInt(1_000);
      default -> 0;
    };
  }

  private long anyStep() {
    Quota quota = quotas.get(random.nextInt(quotas.size()));
    long period = quota.periodMicros();
    long interval = period / quota.permits();
    return switch (random.nextInt(32)) {
      case 0 -> period;
      case 1 -> period - 1;
      case 2 -> period + 1;
      case 3, 4 -> random.nextLong(period);
      case 5 -> random.nextLong(3 * period);
      case 6 -> period - nowMicros % period; // a counter's next period
      case 7 -> period - 1 - nowMicros % period;
      case 8, 9, 10 -> hintMicros;
      case 11, 12 -> Math.max(0, hintMicros - 1);
      case 13, 14, 15 -> interval + random.nextLong(2);
      case 16, 17 -> random.nextLong(interval + 1);
      case 18 -> 1;
      case 19 -> random.nextInt(512) == 0 ? random.nextLong(2 * YEAR_MICROS) : 0;
      default -> 0;
    };
  }
}
