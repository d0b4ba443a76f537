package io.sluice.guarantees.traffic;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.QueueLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Creates events that may have to wait in line: bursts that take from a second to about a minute to
 * leave, and single events that share no bucket with others and must never wait. On average, the
 * events use about half of the permits of their limits.
 */
final class QueueEvents {
  private static final int USERS = 10;
  private static final int VENDORS = 2;
  private static final int MOST_AT_ONCE = 6;

  /** Events of one user in a large burst; more than may wait in a line of the limit "courier". */
  private static final int MANY_PARCELS = 48;

  private static final int MANY_TEXTS = 24;
  private static final int MANY_PAGES = 60;

  /* Mean intervals between bursts, in milliseconds. */
  private static final int TEXTS_MS = 1_500;
  private static final int PAGES_MS = 1_000;
  private static final int MANY_PAGES_MS = 25_000;
  private static final int PARCELS_MS = 1_200;
  private static final int ALONE_MS = 700;

  private static final int LARGE_IN = 12;
  private static final int MOST_LATE_MS = 40_000;
  private static final int MOST_AHEAD_MS = 3_000;

  private final List<String> topics;
  private final SplittableRandom random;
  private final Numbers numbers;
  private long lastMs;

  QueueEvents(List<String> topics, SplittableRandom random, Numbers numbers) {
    this.topics = topics;
    this.random = random;
    this.numbers = numbers;
  }

  /** Creates the events that are due since the last call. */
  List<Sent> next(long nowMs) {
    long sinceMs = lastMs == 0 ? 0 : nowMs - lastMs;
    lastMs = nowMs;
    List<Sent> made = new ArrayList<>();
    if (isDue(TEXTS_MS, sinceMs)) {
      burst(QueueLimits.TEXT, user(), vendor(), size(MANY_TEXTS), nowMs, made);
    }
    if (isDue(PARCELS_MS, sinceMs)) {
      burst(QueueLimits.PARCEL, user(), "home", size(MANY_PARCELS), nowMs, made);
    }
    if (isDue(PAGES_MS, sinceMs)) {
      burst(QueueLimits.PAGE, user(), vendor(), 1 + random.nextInt(3), nowMs, made);
    }
    if (isDue(MANY_PAGES_MS, sinceMs)) {
      String vendor = vendor();
      for (int i = 0; i < MANY_PAGES; i++) {
        burst(QueueLimits.PAGE, user(), vendor, 1, nowMs, made);
      }
    }
    if (isDue(ALONE_MS, sinceMs)) made.add(alone(nowMs));
    return made;
  }

  /** Returns whether an event is due that comes once in an interval on average. */
  private boolean isDue(int intervalMs, long sinceMs) {
    return random.nextInt(intervalMs) < sinceMs;
  }

  private int size(int large) {
    return random.nextInt(LARGE_IN) == 0 ? large : 1 + random.nextInt(MOST_AT_ONCE);
  }

  private String user() {
    return "queuer" + random.nextInt(USERS);
  }

  private String vendor() {
    return "vendor" + random.nextInt(VENDORS);
  }

  private void burst(
      String action, String user, String target, int size, long nowMs, List<Sent> made) {
    for (int left = size; left > 0; left--) {
      Sent sent = event(action, user, target, nowMs);
      made.add(random.nextInt(20) == 0 ? sent.forged() : sent);
      // The same event again, while the first one waits or after it has left.
      if (random.nextInt(60) == 0) made.add(sent.again(sameAs(sent.described())));
    }
  }

  private Described sameAs(Described event) {
    return new Described(
        numbers.next(),
        event.action(),
        event.user(),
        event.target(),
        event.id(),
        event.occurredAtMs(),
        event.publishedAtMs(),
        event.cost(),
        event.kind());
  }

  /** Creates an event that shares no bucket with others. */
  private Sent alone(long nowMs) {
    String name = "alone" + numbers.peek();
    String action = random.nextInt(3) == 0 ? QueueLimits.PARCEL : QueueLimits.TEXT;
    return event(action, name, name, nowMs);
  }

  private Sent event(String action, String user, String target, long nowMs) {
    long number = numbers.next();
    Described event =
        new Described(
            number,
            action,
            user,
            target,
            random.nextInt(20) == 0 ? "" : "q" + number,
            nowMs + error(),
            nowMs,
            random.nextInt(10) > 0 ? 1 : 2,
            Described.Kind.EVENT);
    Sender.Keying[] all = Sender.Keying.values();
    Sender sender = new Sender(user, all[Math.floorMod(user.hashCode(), all.length)], topics);
    byte[] value = Values.any(event, random);
    return new Sent(sender.topic(random), sender.key(random), value, nowMs, event);
  }

  /**
   * Returns the error of an event's time in milliseconds: late events are metered at once all the
   * same, and events ahead of the wall clock wait for it.
   */
  private long error() {
    int chance = random.nextInt(40);
    if (chance == 0) return -random.nextInt(MOST_LATE_MS);
    return chance == 1 ? random.nextInt(MOST_AHEAD_MS) : 0;
  }
}
