package io.sluice.guarantees.traffic;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Creates events of ordinary users: bursts of one action, whose times are at or near the time of
 * publishing. Some users have a wrong clock, and some events are sent again.
 */
final class EventMaker {
  private static final int TARGETS = 8;
  private static final int MOST_AT_ONCE = 12;
  private static final int MOST_LATE_MS = 40_000;
  private static final int MOST_AHEAD_MS = 50_000;
  private static final int SHARED_IDS = 20;

  /**
   * Maximum number of past events in memory, from which some are sent again; the events of a few
   * seconds.
   */
  private static final int MOST_REMEMBERED = 1_000;

  private final List<String> topics;
  private final SplittableRandom random;
  private final Numbers numbers;
  private final List<Sent> remembered = new ArrayList<>();

  EventMaker(List<String> topics, SplittableRandom random, Numbers numbers) {
    this.topics = topics;
    this.random = random;
    this.numbers = numbers;
  }

  /**
   * Creates some events of one user.
   *
   * @param saysMs current time by the users' clocks, which may be wrong, epoch milliseconds
   * @param nowMs current time by a correct clock, epoch milliseconds
   */
  List<Sent> burst(long saysMs, long nowMs) {
    Sender sender = Sender.any(random, topics);
    String action = Limits.anyAction(random);
    long atMs = saysMs + error();
    List<Sent> burst = new ArrayList<>();
    for (int left = 1 + random.nextInt(MOST_AT_ONCE); left > 0; left--) {
      atMs += random.nextInt(4);
      burst.add(remember(decorated(event(sender, action, atMs, nowMs))));
    }
    if (random.nextInt(4) == 0) burst.add(again(nowMs));
    return burst;
  }

  private String anyTarget() {
    return "target" + random.nextInt(TARGETS);
  }

  /**
   * Returns the error of a user's clock in milliseconds: mostly 0, else more often negative (late)
   * than positive.
   */
  private long error() {
    int chance = random.nextInt(100);
    if (chance < 4) return -random.nextInt(MOST_LATE_MS);
    return chance == 4 ? random.nextInt(MOST_AHEAD_MS) : 0;
  }

  private Sent event(Sender sender, String action, long atMs, long nowMs) {
    long number = numbers.next();
    Described event =
        new Described(
            number,
            action,
            sender.name(),
            anyTarget(),
            id(number),
            atMs,
            nowMs,
            random.nextInt(10) > 0 ? 1 : 1 + random.nextInt(3),
            Described.Kind.EVENT);
    boolean timed = random.nextInt(10) > 0;
    long timestampMs = timed ? atMs - random.nextInt(5_000) : atMs;
    byte[] value = timed ? Values.any(event, random) : Values.json(event, false, "");
    return new Sent(sender.topic(random), sender.key(random), value, timestampMs, event);
  }

  /** Returns an event id: mostly unique, sometimes shared with other events, or empty. */
  private String id(long number) {
    int chance = random.nextInt(100);
    if (chance < 2) return "shared" + random.nextInt(SHARED_IDS);
    return chance < 10 ? "" : "e" + number;
  }

  private Sent decorated(Sent sent) {
    if (random.nextInt(4) == 0) sent.traced();
    return random.nextInt(20) == 0 ? sent.forged() : sent;
  }

  private Sent remember(Sent sent) {
    if (remembered.size() < MOST_REMEMBERED) remembered.add(sent);
    else remembered.set(random.nextInt(MOST_REMEMBERED), sent);
    return sent;
  }

  /** Creates a copy of a past event: an identical record, or another event with the same id. */
  private Sent again(long nowMs) {
    Sent first = remembered.get(random.nextInt(remembered.size()));
    Described was = first.described();
    boolean same = random.nextInt(3) > 0;
    Described event =
        new Described(
            numbers.next(),
            was.action(),
            was.user(),
            same ? was.target() : anyTarget(),
            was.id(),
            same ? was.occurredAtMs() : nowMs,
            nowMs,
            same ? was.cost() : 1 + random.nextInt(3),
            was.kind());
    if (same) return first.again(event);
    return new Sent(first.topic(), first.key(), Values.any(event, random), nowMs, event);
  }
}
