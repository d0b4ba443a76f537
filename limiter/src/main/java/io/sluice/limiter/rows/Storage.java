package io.sluice.limiter.rows;

/** A meter's rows, and the indexes of the long logs in them. */
public final class Storage {
  private final Rows rows;

  /** Finds what long logs remember; holds nothing that the rows do not. */
  private final LogIndexes indexes = new LogIndexes();

  public Storage(Rows rows) {
    this.rows = rows;
  }

  public Rows rows() {
    return rows;
  }

  LogIndexes indexes() {
    return indexes;
  }
}
