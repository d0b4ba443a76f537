package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.RegisteredSchema;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Creates input records that are not valid events, of many kinds. */
final class Poison {
  /**
   * Time by which an event is too far ahead, in milliseconds; it is still ahead at the end of any
   * replay.
   */
  private static final long FAR_AHEAD_MS = 400L * 24 * 3_600_000;

  private final List<String> topics;
  private final SplittableRandom random;
  private final Numbers numbers;

  Poison(List<String> topics, SplittableRandom random, Numbers numbers) {
    this.topics = topics;
    this.random = random;
    this.numbers = numbers;
  }

  Sent next(long nowMs) {
    Described poison =
        new Described(numbers.next(), "-", "-", "-", "", nowMs, nowMs, 0, Described.Kind.POISON);
    byte[] key = random.nextBoolean() ? null : ("user" + random.nextInt(9)).getBytes(UTF_8);
    String topic = topics.get(random.nextInt(topics.size()));
    Sent sent = new Sent(topic, key, value(nowMs), nowMs, poison);
    if (random.nextInt(4) == 0) sent.traced();
    return random.nextInt(4) == 0 ? sent.forged() : sent;
  }

  private byte[] value(long nowMs) {
    return switch (random.nextInt(18)) {
      case 0 -> null;
      case 1 -> new byte[0];
      case 2 -> noise(0x7F);
      case 3 -> noise(0x00); // a schema id that is unknown or cut off
      case 4 -> noise(0xC3);
      case 5 -> cut(Values.avro(post("ann", 1, nowMs)));
      case 6 -> Values.avro(post("", 1, nowMs));
      case 7 -> Values.avro(post("ann", 1, nowMs + FAR_AHEAD_MS));
      case 8 -> json("\"action\":\"post\"");
      case 9 -> json("\"userId\":\"ann\",\"action\":\"post\",\"cost\":-1");
      case 10 -> json("\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":\"noon\"");
      case 11 -> Values.json(post("ann", 0, nowMs), true, "");
      case 12 -> Values.avro(post("ann", 0, nowMs));
      case 13 -> Values.json(post("ann", 1, Oddities.SECONDS_OF_2023), true, "");
      case 14 -> Values.json(post("ann", 1, -5), true, "");
      case 15 -> Values.avro(post("ann", 1, Long.MAX_VALUE / 1_000_000));
      case 16 ->
          Values.confluent(1 + RegisteredSchema.ID + random.nextInt(1_000), post("a", 1, nowMs));
      default -> Values.confluent(Integer.MIN_VALUE + random.nextInt(1_000), post("a", 1, nowMs));
    };
  }

  private static Described post(String user, long cost, long atMs) {
    return new Described(0, "post", user, "bob", "poison", atMs, atMs, cost, Described.Kind.POISON);
  }

  private byte[] noise(int first) {
    byte[] bytes = new byte[1 + random.nextInt(60)];
    for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) random.nextInt(256);
    bytes[0] = (byte) first;
    return bytes;
  }

  private byte[] cut(byte[] bytes) {
    return Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length - 1));
  }

  private static byte[] json(String fields) {
    return ("{" + fields + "}").getBytes(UTF_8);
  }
}
