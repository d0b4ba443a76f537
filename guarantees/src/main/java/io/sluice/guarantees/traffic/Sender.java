package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.SplittableRandom;

/**
 * User, and the record keys of the user's events: the user's name, so that events are on the home
 * partition; a device, so that events must always be repartitioned; or arbitrary keys and topics.
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

  /** Returns a random user; users with low numbers are more frequent. */
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

  /** Returns a record key for an event of the user; sometimes null if the keys are arbitrary. */
  byte[] key(SplittableRandom random) {
    return switch (keying) {
      case BY_USER -> name.getBytes(UTF_8);
      case BY_DEVICE -> ("device-" + name).getBytes(UTF_8);
      case AS_IT_COMES ->
          random.nextInt(3) == 0 ? null : ("tab-" + random.nextInt(9)).getBytes(UTF_8);
    };
  }
}
