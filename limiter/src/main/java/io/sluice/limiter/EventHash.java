package io.sluice.limiter;

/** 64 bits of an event's id. */
public final class EventHash {
  private EventHash() {}

  /** FNV-1a over the UTF-16 units, then Stafford's mix 13 so that every bit counts. */
  public static long of(String eventId) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < eventId.length(); i++) hash = (hash ^ eventId.charAt(i)) * 0x100000001b3L;
    return mix(hash);
  }

  /** The event under one rule and key. */
  static long of(long eventHash, Claim claim) {
    return mix(eventHash ^ mix(of(claim.key()) + claim.rule().name().hashCode()));
  }

  private static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
