package io.sluice.limiter;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Indexes of long logs, those that were asked for last: about {@value #MOST_ENTRIES} entries in
 * all, 40 bytes each. What is dropped is made anew from the rows when it is asked for again. Not
 * thread-safe.
 */
final class LogIndexes {
  private static final int MOST_ENTRIES = 1 << 19;

  private final Map<ByteBuffer, LogIndex> kept = new LinkedHashMap<>(4, 0.75f, true);

  Optional<LogIndex> find(byte[] row, byte kind) {
    return kept.isEmpty() ? Optional.empty() : Optional.ofNullable(kept.get(key(row, kind)));
  }

  void keep(byte[] row, byte kind, LogIndex index) {
    kept.put(key(row, kind), index);
    long entries = kept.values().stream().mapToLong(LogIndex::size).sum();
    Iterator<LogIndex> oldest = kept.values().iterator();
    while (entries > MOST_ENTRIES && kept.size() > 1) {
      entries -= oldest.next().size();
      oldest.remove();
    }
  }

  private static ByteBuffer key(byte[] row, byte kind) {
    return ByteBuffer.allocate(row.length + 1).put(kind).put(row).flip();
  }
}
