package io.sluice.guarantees.traffic;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.QueueLimits;
import io.sluice.guarantees.scenario.QueueRanks;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Creates events that may have to wait in line: bursts that take from a second to about a minute to
 * leave, floods of several tenants and classes that share a bucket, and single events that share no
 * bucket with others and must never wait. On average, the events use about half of the permits of
 * their limits.
 */
final class QueueEvents {
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
  private static final int FLOOD_MS = 7_000;

  /** Fewest parcels of each tenant in a flood; less than twice as many fit into a line. */
  private static final int LEAST_OF_TENANT = 18;

  /** One of so many bursts of parcels is of the user who had the last flood. */
  private static final int FLOODED_IN = 3;

  private static final String HOME = "home";

  /** Number of events of large bursts that are remembered. */
  private static final int MOST_RECENT = 60;

  /** Classes, a value that is not the name of one, and none. */
  private static final List<String> PRIORITIES =
      List.of("otp", "transactional", "bulk", "", "marketing", "marketing");

  private static final int LARGE_IN = 12;
  private static final int MOST_LATE_MS = 40_000;
  private static final int MOST_AHEAD_MS = 3_000;

  private final List<String> topics;
  private final SplittableRandom random;
  private final Numbers numbers;
  private long lastMs;
  private String flooded = "";
  private final Queue<Described> recent = new ConcurrentLinkedQueue<>();

  QueueEvents(List<String> topics, SplittableRandom random, Numbers numbers) {
    this.topics = topics;
    this.random = random;
    this.numbers = numbers;
  }

  /**
   * Events that share all buckets, a class and a tenant.
   *
   * @param sameCost whether each event costs one permit; else some cost two
   */
  private record Origin(
      String action,
      String user,
      String target,
      String priority,
      String tenant,
      boolean sameCost) {}

  /** Creates the events that are due since the last call; the first call begins with floods. */
  List<Sent> next(long nowMs) {
    boolean isFirst = lastMs == 0;
    long sinceMs = isFirst ? 0 : nowMs - lastMs;
    lastMs = nowMs;
    List<Sent> made = new ArrayList<>();
    if (isFirst || isDue(FLOOD_MS, sinceMs)) flood(nowMs, made);
    if (isFirst) longFlood(nowMs, made);
    if (isFirst || isDue(MANY_PAGES_MS, sinceMs)) pages(nowMs, made);
    if (isDue(TEXTS_MS, sinceMs)) {
      burst(any(QueueLimits.TEXT, user(), vendor()), size(MANY_TEXTS), nowMs, made);
    }
    if (isDue(PARCELS_MS, sinceMs)) {
      String user = random.nextInt(FLOODED_IN) == 0 ? flooded : user();
      burst(any(QueueLimits.PARCEL, user, HOME), size(MANY_PARCELS), nowMs, made);
    }
    if (isDue(PAGES_MS, sinceMs)) {
      burst(any(QueueLimits.PAGE, user(), vendor()), 1 + random.nextInt(3), nowMs, made);
    }
    if (isDue(ALONE_MS, sinceMs)) made.add(alone(nowMs));
    return made;
  }

  /**
   * Creates many parcels of one user, by several tenants: mostly of one class, so that they share
   * the bucket; else of a random class each. All parcels of a tenant come before those of the next.
   */
  private void flood(long nowMs, List<Sent> made) {
    flooded = user();
    boolean sameClass = random.nextInt(3) > 0;
    boolean sameCost = random.nextBoolean();
    String priority = priority();
    int tenants = 2 + random.nextInt(2);
    int first = random.nextInt(QueueRanks.TENANTS.size());
    for (int i = 0; i < tenants; i++) {
      String tenant = QueueRanks.TENANTS.get((first + i) % QueueRanks.TENANTS.size());
      String itsPriority = sameClass ? priority : priority();
      Origin of = new Origin(QueueLimits.PARCEL, flooded, HOME, itsPriority, tenant, sameCost);
      burst(of, LEAST_OF_TENANT + random.nextInt(LEAST_OF_TENANT), nowMs, made);
    }
  }

  /**
   * Creates as many parcels of one user and each tenant as fit into their lines, so that the last
   * ones wait for 20 s or more; those of the largest share come first.
   */
  private void longFlood(long nowMs, List<Sent> made) {
    flooded = user();
    String priority = priority();
    for (String tenant : QueueRanks.TENANTS) {
      Origin of = new Origin(QueueLimits.PARCEL, flooded, HOME, priority, tenant, true);
      burst(of, 2 * LEAST_OF_TENANT - 1, nowMs, made);
    }
  }

  /** Creates many pages to one vendor, of many users; all of one class, or of any. */
  private void pages(long nowMs, List<Sent> made) {
    String vendor = vendor();
    boolean sameClass = random.nextBoolean();
    String priority = priority();
    for (int i = 0; i < MANY_PAGES; i++) {
      String itsPriority = sameClass ? priority : priority();
      Origin of = new Origin(QueueLimits.PAGE, user(), vendor, itsPriority, tenant(), false);
      burst(of, 1, nowMs, made);
    }
  }

  /** Returns whether an event is due that comes once in an interval on average. */
  private boolean isDue(int intervalMs, long sinceMs) {
    return random.nextInt(intervalMs) < sinceMs;
  }

  private int size(int large) {
    return random.nextInt(LARGE_IN) == 0 ? large : 1 + random.nextInt(MOST_AT_ONCE);
  }

  private String user() {
    return QueueLimits.user(random.nextInt(QueueLimits.USERS));
  }

  private String vendor() {
    return "vendor" + random.nextInt(VENDORS);
  }

  private String priority() {
    return PRIORITIES.get(random.nextInt(PRIORITIES.size()));
  }

  /** Returns a tenant; rarely none. */
  private String tenant() {
    int tenant = random.nextInt(3 * QueueRanks.TENANTS.size() + 1);
    return tenant == 0 ? "" : QueueRanks.TENANTS.get(tenant % QueueRanks.TENANTS.size());
  }

  private Origin any(String action, String user, String target) {
    return new Origin(action, user, target, priority(), tenant(), false);
  }

  /** Returns events of the last large bursts, most of which still wait. Thread-safe. */
  List<Described> recent() {
    return List.copyOf(recent);
  }

  private void remember(Described event) {
    if (event.id().isEmpty()) return;
    recent.add(event);
    if (recent.size() > MOST_RECENT) recent.poll();
  }

  private void burst(Origin of, int size, long nowMs, List<Sent> made) {
    for (int left = size; left > 0; left--) {
      Sent sent = event(of, nowMs);
      if (left <= size - LEAST_OF_TENANT / 2) remember(sent.described());
      made.add(random.nextInt(20) == 0 ? sent.forged() : sent);
      // The same event again, while the first one waits or after it has left.
      if (random.nextInt(60) == 0) made.add(sent.again(sent.described().again(numbers.next())));
    }
  }

  /** Creates an event that shares no bucket with others. */
  private Sent alone(long nowMs) {
    String name = "alone" + numbers.peek();
    String action = random.nextInt(3) == 0 ? QueueLimits.PARCEL : QueueLimits.TEXT;
    return event(any(action, name, name), nowMs);
  }

  private Sent event(Origin of, long nowMs) {
    long number = numbers.next();
    Described event =
        new Described(
            number,
            of.action(),
            of.user(),
            of.target(),
            random.nextInt(20) == 0 ? "" : "q" + number,
            nowMs + error(),
            nowMs,
            of.sameCost() || random.nextInt(10) > 0 ? 1 : 2,
            Described.Kind.EVENT,
            of.priority(),
            of.tenant());
    Sender.Keying[] all = Sender.Keying.values();
    int keying = Math.floorMod(of.user().hashCode(), all.length);
    Sender sender = new Sender(of.user(), all[keying], topics);
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
