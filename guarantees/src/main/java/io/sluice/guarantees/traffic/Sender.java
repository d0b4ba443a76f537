package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.SplittableRandom;

/**
 * User, and the way in which the user's events are published: keyed by user, and so on the home
 * partition; keyed by device, and so always with a hop; or with arbitrary keys and topics.
 *
 * @param topics the input topics
 */
record Sender(String name, Keying keying, List<String> topics) {
  enum Keying {
    BY_USER,
    BY_DEVICE,
    AS_IT_COMES
  }

  private static final int USERS = 30;

  /** Returns a random user; some are more frequent than others. */
  static Sender any(SplittableRandom random, List<String> topics) {
    int number = Math.min(random.nextInt(USERS), random.nextInt(USERS));
    Keying keying =
        switch (number % 5) {
          case 3 -> Keying.BY_DEVICE;
          case 4 -> Keying.AS_IT_COMES;
          default -> Keying.BY_USER;
        };
    return new Sender("user" + number, keying, topics);
  }

  String topic(SplittableRandom random) {
    int any = keying == Keying.AS_IT_COMES ? random.nextInt() : name.hashCode();
    return topics.get(Math.floorMod(any, topics.size()));
  }

  /** Returns the record key, sometimes null. */
  byte[] key(SplittableRandom random) {
    return switch (keying) {
      case BY_USER -> name.getBytes(UTF_8);
      case BY_DEVICE -> ("device-" + name).getBytes(UTF_8);
      case AS_IT_COMES ->
          random.nextInt(3) == 0 ? null : ("tab-" + random.nextInt(9)).getBytes(UTF_8);
    };
  }
}
