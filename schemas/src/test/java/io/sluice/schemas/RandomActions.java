package io.sluice.schemas;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Generator of actions of every shape that the schema allows, the same for the same seed. */
final class RandomActions {
  private static final long[] EDGES = {0, 1, -1, 63, 64, -64, -65, Long.MAX_VALUE, Long.MIN_VALUE};
  private static final int[] FIRST_OF_WIDTH = {' ', 0x80, 0x800, 0xe000, 0x10000};
  private static final int[] AFTER_WIDTH = {0x80, 0x800, 0xd800, 0x10000, 0x110000};

  private final SplittableRandom random;

  RandomActions(long seed) {
    this.random = new SplittableRandom(seed);
  }

  UserAction next() {
    return UserAction.newBuilder()
        .setEventId(string())
        .setUserId(string())
        .setAction(string())
        .setOccurredAt(Instant.ofEpochMilli(number()))
        .setCost(number())
        .setTarget(random.nextInt(3) == 0 ? null : string())
        .setAttributes(attributes())
        .build();
  }

  /** Returns the next action that takes fewer bytes than this, for tests that change every byte. */
  UserAction nextShorterThan(int bytes) {
    UserAction action = next();
    while (UserActionCodec.encode(action).length >= bytes) {
      action = next();
    }
    return action;
  }

  private long number() {
    return switch (random.nextInt(3)) {
      case 0 -> EDGES[random.nextInt(EDGES.length)];
      case 1 -> random.nextLong() >> random.nextInt(64);
      default -> random.nextInt(200);
    };
  }

  /**
   * Returns a text, often empty or ASCII, otherwise with code points of 1 to 4 bytes; never with
   * half of a surrogate pair.
   */
  private String string() {
    StringBuilder text = new StringBuilder();
    int widths = random.nextBoolean() ? 1 : FIRST_OF_WIDTH.length;
    for (int left = random.nextInt(random.nextInt(10) == 0 ? 300 : 20); left > 0; left--) {
      int width = random.nextInt(widths);
      text.appendCodePoint(random.nextInt(FIRST_OF_WIDTH[width], AFTER_WIDTH[width]));
    }
    return text.toString();
  }

  private Map<String, String> attributes() {
    Map<String, String> attributes = new HashMap<>();
    for (int left = random.nextInt(random.nextInt(10) == 0 ? 100 : 4); left > 0; left--) {
      attributes.put(string(), string());
    }
    return attributes;
  }
}
