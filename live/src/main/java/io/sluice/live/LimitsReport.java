package io.sluice.live;

/**
 * Receiver of the state of live limits, for metrics and health checks. Called by several threads.
 */
public interface LimitsReport {
  /** Result of a record on the topic of revisions. */
  enum Outcome {
    APPLIED,
    /** The revision was read, and cannot be in force for all of its time. */
    REFUSED,
    UNREADABLE,
    /** The record removes a revision. */
    REMOVED
  }

  void count(Outcome outcome);

  /** Sets the timestamp of the record with the last revision that was read. */
  void newestRevision(long timestampMs);

  /** Sets whether the topic was read to its end a moment ago. */
  void isCurrent(boolean now);

  /** Sets the number of other instances whose configurations have other limits. */
  void differingInstances(int now);

  /** Sets the digest of the limits that are in force now. */
  void digest(String text);

  /** Sets the note on limits that may have changed since a time; empty for none. */
  void limitsAsOf(String note);

  /** Sets the note on instances with other limits; empty for none. */
  void limitsDiffer(String note);
}
