package io.sluice.rules.revision;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Cache that drops all its entries when it is full. For many threads. */
final class BoundedCache<K, V> {
  private final int most;
  private final ConcurrentHashMap<K, V> kept = new ConcurrentHashMap<>();

  BoundedCache(int most) {
    this.most = most;
  }

  V get(K key, Function<K, V> maker) {
    V there = kept.get(key);
    if (there != null) return there;
    V made = maker.apply(key);
    if (kept.size() >= most) kept.clear();
    V first = kept.putIfAbsent(key, made);
    return first == null ? made : first;
  }
}
