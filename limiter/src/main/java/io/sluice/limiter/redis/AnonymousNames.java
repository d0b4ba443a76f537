package io.sluice.limiter.redis;

import io.sluice.limiter.Identity;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names that nothing else has: for arrivals that are like no other, and for calls of the script.
 * Members of a log must differ. Safe for many threads.
 */
final class AnonymousNames {
  private final long origin = new SecureRandom().nextLong();
  private final AtomicLong count = new AtomicLong();

  Identity next() {
    return Identity.ofRecord(origin + "/" + count.getAndIncrement());
  }

  byte[] ofCall() {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(origin)
        .putLong(count.getAndIncrement())
        .array();
  }
}
