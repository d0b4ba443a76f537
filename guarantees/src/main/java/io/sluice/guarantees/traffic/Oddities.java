package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Topics;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Creates extreme events: with times far from now or without a time, and with a size near or above
 * the maximum of a topic.
 */
final class Oddities {
  private static final int USERS = 3;
  private static final int AHEAD_MS = 50 * 60_000;
  private static final long IN_2001_MS = 1_000_000_000_000L;

  /** A time in 2023 in epoch seconds, which taken for milliseconds is in January 1970. */
  static final long SECONDS_OF_2023 = 1_700_000_000L;

  private static final int TOPIC_TAKES = Topics.DEFAULT_BYTES;

  /** Bytes left free for the headers that Sluice adds; more than it needs. */
  private static final int ROOM = 20_000;

  private final List<String> topics;
  private final SplittableRandom random;
  private final Numbers numbers;

  Oddities(List<String> topics, SplittableRandom random, Numbers numbers) {
    this.topics = topics;
    this.random = random;
    this.numbers = numbers;
  }

  /** Creates an event with an extreme time. */
  Sent ofTime(long nowMs) {
    String action = Limits.anyAction(random);
    return switch (random.nextInt(7)) {
      case 0 -> sent(either(action, nowMs, nowMs), true, Described.NO_TIMESTAMP);
      case 1 -> sent(either(Limits.UNMATCHED, nowMs, nowMs), false, Described.NO_TIMESTAMP);
      case 2 -> sent(event(action, 0, nowMs), false, 0);
      case 3 -> sent(event(action, IN_2001_MS + nowMs % 1_000, nowMs), true, nowMs);
      case 4 -> sent(either(Limits.UNMATCHED, nowMs, nowMs), false, SECONDS_OF_2023);
      case 5 -> sent(event(action, nowMs, nowMs), true, nowMs + random.nextInt(AHEAD_MS));
      default -> sent(event(action, nowMs - random.nextInt(AHEAD_MS), nowMs), true, 1);
    };
  }

  private Sent sent(Described event, boolean timed, long timestampMs) {
    return sent(event, Values.json(event, timed, ""), timestampMs);
  }

  private Sent sent(Described event, byte[] value, long timestampMs) {
    return new Sent(
        topics.get(random.nextInt(topics.size())),
        event.user().getBytes(UTF_8),
        value,
        timestampMs,
        event);
  }

  private Described event(String action, long occurredAtMs, long nowMs) {
    return described("odd", action, occurredAtMs, nowMs, Described.Kind.EVENT);
  }

  private Described either(String action, long occurredAtMs, long nowMs) {
    return described("odd", action, occurredAtMs, nowMs, Described.Kind.EITHER);
  }

  private Described described(
      String user, String action, long occurredAtMs, long nowMs, Described.Kind kind) {
    long number = numbers.next();
    return new Described(
        number,
        action,
        user + random.nextInt(USERS),
        "target0",
        "o" + number,
        occurredAtMs,
        nowMs,
        1,
        kind);
  }

  /**
   * Creates an event near the maximum record size of a topic, or an event above it that is sent
   * compressed.
   */
  Sent ofSize(long nowMs) {
    int kind = random.nextInt(4);
    Described event =
        described(
            "large",
            Limits.anyAction(random),
            nowMs,
            nowMs,
            kind == 0 ? Described.Kind.EVENT : Described.Kind.EITHER);
    return switch (kind) {
      case 0 -> large(event, TOPIC_TAKES - ROOM);
      case 1 -> large(event, TOPIC_TAKES - random.nextInt(3_000));
      case 2 -> large(event, TOPIC_TAKES * (2 + random.nextInt(2)));
      default -> large(event, TOPIC_TAKES / 2).noisy(TOPIC_TAKES / 2 + random.nextInt(ROOM));
    };
  }

  /** Creates an event with a value of {@code bytes} bytes that compresses well. */
  private Sent large(Described event, int bytes) {
    int bare = Values.json(event, true, "p").length - 1;
    byte[] value = Values.json(event, true, "p".repeat(bytes - bare));
    return sent(event, value, event.publishedAtMs());
  }
}
