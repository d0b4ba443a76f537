package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Rows of a meter, with two caches: the hash indexes of long logs, and the records that limits have
 * admitted last.
 */
public final class Storage {
  private final Rows rows;
  private final Conditions conditions;

  /** Hash indexes of long logs, which are built from the rows. */
  private final LogIndexes indexes = new LogIndexes();

  private final Map<ByteBuffer, RecentRecords> recent = new HashMap<>();

  public Storage(Rows rows) {
    this(rows, Conditions.ALONE);
  }

  public Storage(Rows rows, Conditions conditions) {
    this.rows = rows;
    this.conditions = conditions;
  }

  public Rows rows() {
    return rows;
  }

  public Conditions conditions() {
    return conditions;
  }

  /**
   * Returns the ring of the records that a limit has admitted last, read from the rows on first
   * use.
   *
   * @param limit name of the limit's own row
   */
  public RecentRecords recent(byte[] limit) {
    return recent.computeIfAbsent(ByteBuffer.wrap(limit), each -> new RecentRecords(rows, limit));
  }

  LogIndexes indexes() {
    return indexes;
  }

  /**
   * Cache of the hash indexes of long logs, which drops the least recently used index first. All
   * indexes together have {@value #MOST_PLACES} hash slots, of 20 bytes each and at most half full.
   * An index that needs more slots is kept alone. A dropped index is built again from the rows on
   * its next use. Not thread-safe.
   */
  static final class LogIndexes {
    private static final int MOST_PLACES = 1 << 20;

    private final Map<ByteBuffer, LogIndex> kept = new LinkedHashMap<>(4, 0.75f, true);

    Optional<LogIndex> find(byte[] row, byte kind) {
      return kept.isEmpty() ? Optional.empty() : Optional.ofNullable(kept.get(key(row, kind)));
    }

    void keep(byte[] row, byte kind, LogIndex index) {
      kept.put(key(row, kind), index);
      long places = kept.values().stream().mapToLong(LogIndex::places).sum();
      Iterator<LogIndex> oldest = kept.values().iterator();
      while (places > MOST_PLACES && kept.size() > 1) {
        places -= oldest.next().places();
        oldest.remove();
      }
    }

    void forget(byte[] row, byte kind) {
      if (!kept.isEmpty()) kept.remove(key(row, kind));
    }

    private static ByteBuffer key(byte[] row, byte kind) {
      return ByteBuffer.allocate(row.length + 1).put(kind).put(row).flip();
    }
  }
}
