package io.sluice.live;

/**
 * Receiver of the state of limits that change while an instance runs, for metrics and health
 * checks. Called by several threads.
 */
public interface LimitsReport {
  /** Outcome of reading a record on the topic of revisions. */
  enum Outcome {
    APPLIED,
    /** The revision was read, but is refused for a part of its time or for all of it. */
    REFUSED,
    UNREADABLE,
    /** The record deletes a revision. */
    REMOVED
  }

  void count(Outcome outcome);

  /**
   * Sets the timestamp of the last record that was read about a revision, deletions included, in
   * epoch milliseconds.
   */
  void newestRevision(long timestampMs);

  /**
   * Sets whether the limits are current: the topic of revisions was read to its end a moment ago.
   */
  void isCurrent(boolean now);

  /** Sets the number of other instances whose configurations have other limits. */
  void differingInstances(int now);

  /** Sets the digest (fingerprint) of the limits that are in force now. */
  void digest(String text);

  /** Sets the health note that limits are known only as of a time; empty while they are current. */
  void limitsAsOf(String note);

  /**
   * Sets the health note on instances whose configurations have other limits; empty if there are
   * none.
   */
  void limitsDiffer(String note);
}
