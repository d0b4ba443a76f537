package io.sluice.topology.config;

import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.Verdict;

/**
 * Treatment of records that are not events although nothing is wrong with them: tombstones, and
 * records without a user or an action, such as the deletes of change data capture. All other
 * records that are not events are dead letters.
 *
 * @param tombstones treatment of records without a value; an empty value is no tombstone, and a
 *     record without a key is not passed on
 * @param missing treatment of records without a user or an action
 */
public record NonEvents(Policy tombstones, Policy missing) {
  /** Treatment of a record that is not an event, as the configuration names it. */
  public enum Policy {
    /** The record goes to the topic of dead letters. */
    DEAD_LETTER,
    /** The record goes to the topic of allowed events, without metering. */
    ALLOW,
    /** The record is committed and counted, and not written to any topic. */
    DROP
  }

  /**
   * Returns the treatment of a record that is not an event. A record without a key and a value is a
   * dead letter even if tombstones are passed on: it deletes nothing, and the broker refuses a
   * record without a key for a compacted topic, which would stop the partition.
   *
   * @param key key of the record; null if it has none
   * @param value value of the record; null if it has none
   */
  public Policy of(FaultKind fault, byte[] key, byte[] value) {
    if (fault == FaultKind.MISSING_FIELD) return missing;
    if (fault != FaultKind.EMPTY || value != null) return Policy.DEAD_LETTER;
    return key == null && tombstones == Policy.ALLOW ? Policy.DEAD_LETTER : tombstones;
  }

  /** Returns the reason in the headers of a record that is passed on although it is no event. */
  public static Verdict.Reason reason(FaultKind fault) {
    return fault == FaultKind.MISSING_FIELD
        ? Verdict.Reason.MISSING_FIELD
        : Verdict.Reason.TOMBSTONE;
  }
}
