package io.sluice.limiter.redis;

import io.sluice.limiter.Identity;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generator of unique names: for arrivals without an identity, because the members of a log in
 * Redis must differ, and for calls of the script. Thread-safe.
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
