package io.sluice.guarantees;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Values that are no events, each in its own way. */
final class Poison {
  private static final long HOUR_MS = 3_600_000;

  private final SplittableRandom random;

  Poison(SplittableRandom random) {
    this.random = random;
  }

  byte[] next(long nowMs) {
    return switch (random.nextInt(11)) {
      case 0 -> null;
      case 1 -> new byte[0];
      case 2 -> noise(0x7F);
      case 3 -> noise(0x00); // Confluent's format, of no schema that there is
      case 4 -> noise(0xC3);
      case 5 -> cut(avro(nowMs, "ann"));
      case 6 -> avro(nowMs, "");
      case 7 -> avro(nowMs + HOUR_MS, "ann");
      case 8 -> json("\"action\":\"post\"");
      case 9 -> json("\"userId\":\"ann\",\"action\":\"post\",\"cost\":-1");
      default -> json("\"userId\":\"ann\",\"action\":\"post\",\"occurredAt\":\"noon\"");
    };
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

  private static byte[] avro(long atMs, String user) {
    return UserActionCodec.encode(
        UserAction.newBuilder()
            .setEventId("poison")
            .setUserId(user)
            .setAction("post")
            .setOccurredAt(Instant.ofEpochMilli(atMs))
            .build());
  }

  private static byte[] json(String fields) {
    return ("{" + fields + "}").getBytes(UTF_8);
  }
}
