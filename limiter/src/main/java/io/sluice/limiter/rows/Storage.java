package io.sluice.limiter.rows;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** A meter's rows, the indexes of the long logs in them, and those of records. */
public final class Storage {
  private final Rows rows;
  private final Conditions conditions;

  /** Finds what long logs remember; holds nothing that the rows do not. */
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

  /** The records that a limit has admitted last, as far as they are in the rows. */
  public RecentRecords recent(byte[] limit) {
    return recent.computeIfAbsent(ByteBuffer.wrap(limit), each -> new RecentRecords(rows, limit));
  }

  LogIndexes indexes() {
    return indexes;
  }
}
