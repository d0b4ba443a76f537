package io.sluice.limiter;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Seeded arrivals of a few keys: bursts, pacing at the quota's own rate, instants just on and
 * around the edges of windows, idle gaps of up to years, late events, redelivered events. The clock
 * never goes back.
 */
public final class Traffic {
  private static final long YEAR_MICROS = Duration.ofDays(365).toMillis() * 1_000;
  private static final int REMEMBERED = 16;

  /** An arrival, and the number of its key. */
  public record Event(int key, Arrival arrival) {}

  private final SplittableRandom random;
  private final int keys;
  private final List<Quota> quotas;
  private final Event[] recent = new Event[REMEMBERED];
  private long nowMicros;
  private long count;
  private long hintMicros;
  private int phaseEnds;
  private boolean flood;

  /** Traffic that presses against these quotas. */
  public Traffic(long seed, int keys, List<Quota> quotas) {
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
    String id = random.nextInt(8) == 0 ? "" : "event-" + count;
    long late = random.nextInt(4) == 0 ? random.nextLong(2 * quota.periodMicros()) : 0;
    long since = Math.max(0, nowMicros - late);
    return new Event(random.nextInt(keys), new Arrival(id, cost(quota), nowMicros, since));
  }

  /** One of the last events once more, at the clock of now. */
  private Event again() {
    Event event = recent[random.nextInt(REMEMBERED)];
    if (event == null) return anew();
    Arrival first = event.arrival();
    return new Event(
        event.key(), new Arrival(first.eventId(), first.cost(), nowMicros, first.sinceMicros()));
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
