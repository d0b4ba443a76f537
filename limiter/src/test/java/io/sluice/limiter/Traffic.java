package io.sluice.limiter;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Seeded arrivals of a few keys: bursts, pacing at the quota's own rate, instants just on and
 * around the edges of windows, idle gaps of up to years, records that come again, and others that
 * claim to be the same event. The clock never goes back, unless events may be late.
 */
public final class Traffic {
  private static final long YEAR_MICROS = Duration.ofDays(365).toMillis() * 1_000;
  private static final int REMEMBERED = 16;

  /** An arrival, and the number of its key. */
  public record Event(int key, Arrival arrival) {}

  private final SplittableRandom random;
  private final int keys;
  private final List<Quota> quotas;
  private final boolean late;
  private final boolean duplicates;
  private final Event[] recent = new Event[REMEMBERED];
  private long nowMicros;
  private long count;
  private long hintMicros;
  private int phaseEnds;
  private boolean flood;

  /** Traffic that presses against these quotas. */
  public Traffic(long seed, int keys, List<Quota> quotas) {
    this(seed, keys, quotas, false, false);
  }

  /**
   * The same.
   *
   * @param late whether some events come after later ones
   * @param duplicates whether some records claim to be an event that was there
   */
  public Traffic(long seed, int keys, List<Quota> quotas, boolean late, boolean duplicates) {
    this.late = late;
    this.duplicates = duplicates;
    random = new SplittableRandom(seed);
    this.keys = keys;
    this.quotas = quotas;
    nowMicros = random.nextLong(30 * YEAR_MICROS) + random.nextLong(2) * 80 * YEAR_MICROS;
  }

  /** A wait that was just announced: the traffic may come exactly then, or just before. */
  public void hint(long waitMicros) {
    hintMicros = waitMicros;
  }

  public Event next() {
    long step = step();
    if (nowMicros + step < Arrival.LATEST_MICROS) nowMicros += step;
    Event event = random.nextInt(20) == 0 ? again() : anew();
    recent[(int) (count++ % REMEMBERED)] = event;
    return event;
  }

  private Event anew() {
    Quota quota = quotas.get(random.nextInt(quotas.size()));
    boolean anonymous = random.nextInt(8) == 0;
    Identity identity =
        anonymous ? Identity.NONE : new Identity(random.nextLong(), random.nextInt(), true);
    return new Event(random.nextInt(keys), new Arrival(identity, cost(quota), comesAt(quota)));
  }

  private long comesAt(Quota quota) {
    boolean isLate = late && random.nextInt(4) == 0;
    return isLate ? Math.max(0, nowMicros - random.nextLong(2 * quota.periodMicros())) : nowMicros;
  }

  /** One of the last events once more, now: the same record, or one that claims to be it. */
  private Event again() {
    Event event = recent[random.nextInt(REMEMBERED)];
    if (event == null) return anew();
    Arrival first = event.arrival();
    Identity same = first.identity();
    if (duplicates && !same.equals(Identity.NONE) && random.nextBoolean()) {
      same = new Identity(same.event(), random.nextInt(), true);
    }
    return new Event(event.key(), new Arrival(same, first.cost(), nowMicros));
  }

  private long cost(Quota quota) {
    long most = Math.max(quota.burst(), quota.permits());
    return switch (random.nextInt(24)) {
      case 0 -> 0;
      case 1 -> most + 1;
      case 2 -> most;
      case 3, 4, 5 -> random.nextLong(most + 1);
      default -> 1 + (most > 1_000 ? random.nextLong(most / 8) : 0);
    };
  }

  private long step() {
    if (phaseEnds-- == 0) {
      phaseEnds = random.nextInt(200);
      flood = random.nextInt(4) > 0;
    }
    return flood && random.nextInt(8) > 0 ? floodStep() : anyStep();
  }

  /** Small beside a period, so that the quota is used up. */
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
