package io.sluice.limiter.redis;

import io.sluice.limiter.EventHash;
import io.sluice.limiter.filter.Pair;
import io.sluice.limiter.filter.Strength;
import io.sluice.limiter.redis.CallRules.Doubles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The places of a call's keys in filters, as bloom.lua reads them: of each its share of all blocks,
 * a double, and for each bit that it may set the byte of the block and its value there.
 */
final class PairPlaces {
  private static final int BYTES = Long.BYTES + 2 * Strength.MOST_BITS;

  private final Doubles places = new Doubles();
  private int next = 1;

  /** Adds a key, and returns where its places begin, from 1 on. */
  int add(String key) {
    Pair pair = EventHash.pair(key);
    ByteBuffer bits = ByteBuffer.allocate(2 * Strength.MOST_BITS).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < Strength.MOST_BITS; i++) {
      bits.put((byte) pair.byteOf(i)).put((byte) pair.bitOf(i));
    }
    places.add(pair.share());
    for (bits.flip(); bits.hasRemaining(); ) places.addBits(bits.getLong());
    int first = next;
    next += BYTES;
    return first;
  }

  boolean isEmpty() {
    return places.isEmpty();
  }

  byte[] toByteArray() {
    return places.toByteArray();
  }
}
