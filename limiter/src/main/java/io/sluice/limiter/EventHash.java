package io.sluice.limiter;

import io.sluice.limiter.filter.FilterKey;

/**
 * SipHash-1-3 of a list of texts and numbers, in 64 or 128 bits. The UTF-16 units of each text are
 * followed by its length, so that lists that split the same characters differently are different
 * inputs.
 */
public final class EventHash {
  /*
   * J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", 2012. The key of the hash
   * is fixed, because all instances must compute the same hash. With SipHash, it is expensive to
   * construct an event id that collides with another user's id; with FNV or murmur it is easy.
   */
  private static final long KEY_0 = 0x736c756963652d31L;
  private static final long KEY_1 = 0x6964656e74697479L;

  private long v0 = KEY_0 ^ 0x736f6d6570736575L;
  private long v1 = KEY_1 ^ 0x646f72616e646f6dL;
  private long v2 = KEY_0 ^ 0x6c7967656e657261L;
  private long v3 = KEY_1 ^ 0x7465646279746573L;

  private EventHash() {}

  public static long of(String text) {
    return new EventHash().add(text).end();
  }

  static long of(String first, String second, String third) {
    return new EventHash().add(first).add(second).add(third).end();
  }

  static long of(String text, long number) {
    return new EventHash().add(text).add(number).end();
  }

  static long of(String first, String second, long number, long another) {
    return new EventHash().add(first).add(second).add(number).add(another).end();
  }

  /**
   * Returns the 128-bit hash by which Bloom filters identify a key, from SipHash's 128-bit variant.
   */
  public static FilterKey pair(String key) {
    EventHash hash = new EventHash();
    hash.v1 ^= 0xee;
    return hash.add(key).endPair();
  }

  private FilterKey endPair() {
    v2 ^= 0xee;
    rounds();
    long first = v0 ^ v1 ^ v2 ^ v3;
    v1 ^= 0xdd;
    rounds();
    return new FilterKey(first, v0 ^ v1 ^ v2 ^ v3);
  }

  private EventHash add(String text) {
    int length = text.length();
    int at = 0;
    for (; at <= length - 4; at += 4) {
      add(
          text.charAt(at)
              | (long) text.charAt(at + 1) << 16
              | (long) text.charAt(at + 2) << 32
              | (long) text.charAt(at + 3) << 48);
    }
    long rest = 0;
    for (; at < length; at++) rest = rest << 16 | text.charAt(at);
    return add(rest).add(length);
  }

  private EventHash add(long word) {
    v3 ^= word;
    round();
    v0 ^= word;
    return this;
  }

  private long end() {
    v2 ^= 0xff;
    rounds();
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private void rounds() {
    round();
    round();
    round();
  }

  private void round() {
    v0 += v1;
    v1 = Long.rotateLeft(v1, 13) ^ v0;
    v0 = Long.rotateLeft(v0, 32);
    v2 += v3;
    v3 = Long.rotateLeft(v3, 16) ^ v2;
    v0 += v3;
    v3 = Long.rotateLeft(v3, 21) ^ v0;
    v2 += v1;
    v1 = Long.rotateLeft(v1, 17) ^ v2;
    v2 = Long.rotateLeft(v2, 32);
  }
}
