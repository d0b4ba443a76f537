package io.sluice.guarantees.traffic;

import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.Described;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Creates events under limits that change during a test run. Where the quota changes, each event is
 * the only one of its user, so that the remaining permits identify the quota that judged it.
 */
final class ChangingEvents {
  private static final int MOST_LATE_MS = 40_000;
  private static final int MOST_AHEAD_MS = 50_000;

  private final List<String> topics;
  private final SplittableRandom random;
  private final Numbers numbers;

  ChangingEvents(List<String> topics, SplittableRandom random, Numbers numbers) {
    this.topics = topics;
    this.random = random;
    this.numbers = numbers;
  }

  /**
   * Creates an event whose time is at or near the time of publishing.
   *
   * @param saysMs current time by the users' clocks, which may be wrong, epoch milliseconds
   * @param nowMs current time by a correct clock, epoch milliseconds
   */
  Sent next(long saysMs, long nowMs) {
    long number = numbers.next();
    String action = ChangingLimits.ALL.get(random.nextInt(ChangingLimits.ALL.size()));
    Sender sender = sender(user(action, number));
    long atMs = saysMs + error();
    Described event =
        new Described(
            number,
            action,
            sender.name(),
            "target",
            "c" + number,
            atMs,
            nowMs,
            1,
            Described.Kind.EVENT);
    byte[] value = Values.any(event, random);
    Sent sent = new Sent(sender.topic(random), sender.key(random), value, nowMs, event);
    return random.nextInt(20) == 0 ? sent.forged() : sent;
  }

  private String user(String action, long number) {
    return action.equals(ChangingLimits.VERDICTS)
        ? ChangingLimits.user(random.nextInt(ChangingLimits.USERS + 1))
        : "once" + number;
  }

  private Sender sender(String user) {
    Sender.Keying[] all = Sender.Keying.values();
    return new Sender(user, all[Math.floorMod(user.hashCode(), all.length)], topics);
  }

  /**
   * Returns the error of an event's time, in milliseconds; often negative, so that Sluice must
   * judge the event by past revisions (dated changes of limits).
   */
  private long error() {
    int chance = random.nextInt(10);
    if (chance < 3) return -random.nextInt(MOST_LATE_MS);
    return chance == 3 ? random.nextInt(MOST_AHEAD_MS) : 0;
  }
}
