package io.sluice.topology.limit;

import org.apache.kafka.common.header.Headers;

/** How a verdict is written on its event. What waits has a header for each thing in any case. */
public enum HeaderStyle {
  /** A header for each thing. */
  EACH,
  /** All in one header. */
  ONE,
  /** Nothing if allowed, else all in one header. */
  NONE;

  /** Writes the verdict in place of any that the record brought along. */
  public void write(Headers headers, Verdict verdict) {
    VerdictHeaders.removeOurs(headers);
    if (this == EACH || verdict.kind() == Verdict.Kind.DELAYED)
      VerdictHeaders.add(headers, verdict);
    else if (this == ONE || verdict.kind() == Verdict.Kind.REJECTED)
      OneHeader.add(headers, verdict);
    VerdictHeaders.addShadows(headers, verdict);
  }

  /**
   * Turns the headers of a delayed event into those that it leaves with when it is due: allowed, by
   * the limit that delayed it, at the time it was due.
   */
  public void release(Headers headers) {
    DelayHeaders.release(headers);
    if (this == ONE) OneHeader.fold(headers);
    if (this == NONE) DelayHeaders.removeVerdict(headers);
  }
}
