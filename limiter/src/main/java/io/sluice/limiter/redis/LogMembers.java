package io.sluice.limiter.redis;

import io.sluice.limiter.Arrival;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What arrivals are called in a log: by their event's id, or if they have none by a name of their
 * own.
 */
final class LogMembers {
  /** Up to here the first byte of a member tells what it is, see meter.lua. */
  private static final int LAST_MARK = 5;

  private static final byte ANONYMOUS = 2;
  private static final byte ESCAPED = 4;

  private final long origin = new SecureRandom().nextLong();
  private final AtomicLong count = new AtomicLong();

  byte[] of(Arrival arrival) {
    String id = arrival.eventId();
    if (id.isEmpty()) {
      return ByteBuffer.allocate(1 + 2 * Long.BYTES)
          .put(ANONYMOUS)
          .putLong(origin)
          .putLong(count.getAndIncrement())
          .array();
    }
    byte[] name = id.getBytes(StandardCharsets.UTF_8);
    if (id.charAt(0) > LAST_MARK) return name;
    return ByteBuffer.allocate(1 + name.length).put(ESCAPED).put(name).array();
  }
}
