package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

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
}
