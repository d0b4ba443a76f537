package io.sluice.limiter.redis;

import io.sluice.limiter.EventHash;
import io.sluice.limiter.filter.FilterKey;
import io.sluice.limiter.filter.Strength;
import io.sluice.limiter.redis.CallRules.Doubles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Positions of a call's keys in Bloom filters, in the format that bloom.lua reads. For each key:
 * the hash bits that select its block, as a double; and for each bit that the key may set, the
 * index of the byte in the block and the bit's mask in the byte.
 */
final class PairPlaces {
  private static final int BYTES = Long.BYTES + 2 * Strength.MOST_BITS;

  private final Doubles places = new Doubles();
  private int next = 1;

  /** Adds a key, and returns the index of its first byte in this format, from 1 on. */
  int add(String key) {
    FilterKey pair = EventHash.pair(key);
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
