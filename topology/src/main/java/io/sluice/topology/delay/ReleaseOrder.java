package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Arrival;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.VerdictField;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Instructions in the headers of a record on the topic of delayed events: when and where to release
 * its event. All are validated, because any producer may write to that topic.
 *
 * @param atMs due time, epoch milliseconds
 * @param to destination when the event is due: {@link DelayHeaders#TO_ALLOWED} unless a header says
 *     otherwise
 * @param origin record that the event first came in; unknown if another application scheduled the
 *     event
 * @param attempt how often the event has been metered so far
 */
record ReleaseOrder(long atMs, String to, Origin origin, int attempt) {
  private static final Set<String> KNOWN =
      Set.of(DelayHeaders.TO_ALLOWED, DelayHeaders.TO_METER, DelayHeaders.HELD);
  private static final long LATEST_MS = Arrival.LATEST_MICROS / 1_000 - 1;

  /**
   * Reads the instructions in the headers of a record.
   *
   * @throws UnreadableEventException if a header is missing or invalid; the message names the
   *     header
   */
  static ReleaseOrder of(Headers headers) throws UnreadableEventException {
    long atMs = number(headers, DelayHeaders.RELEASE_AT_MS, LATEST_MS);
    String name = VerdictField.ATTEMPT.header();
    boolean hasAttempt = headers.lastHeader(name) != null;
    long attempt = hasAttempt ? number(headers, name, Integer.MAX_VALUE - 1) : 0;
    String to = to(headers);
    Origin origin = DelayHeaders.origin(headers);
    if (to.equals(DelayHeaders.HELD) && !(hasAttempt && origin.isKnown())) throw held();
    return new ReleaseOrder(atMs, to, origin, (int) attempt);
  }

  /**
   * Returns the error for a record that another application has marked as already held by the meter
   * node. The meter node does not hold its event, so skipping the record would lose the event.
   */
  private static UnreadableEventException held() {
    return new UnreadableEventException(
        FaultKind.INVALID_HEADER,
        DelayHeaders.RELEASE_TO
            + " is "
            + DelayHeaders.HELD
            + ", which only Sluice itself may write; to have an event metered, write "
            + DelayHeaders.TO_METER);
  }

  /** Returns whether the event must be metered when it is due, instead of being allowed. */
  boolean metersAgain() {
    return to.equals(DelayHeaders.TO_METER);
  }

  /** Returns whether the record only announces an event that the meter node has stored itself. */
  boolean isHeld() {
    return to.equals(DelayHeaders.HELD);
  }

  private static String to(Headers headers) throws UnreadableEventException {
    String to = text(headers, DelayHeaders.RELEASE_TO);
    if (to.isEmpty()) return DelayHeaders.TO_ALLOWED;
    if (KNOWN.contains(to)) return to;
    throw new UnreadableEventException(
        FaultKind.INVALID_HEADER,
        DelayHeaders.RELEASE_TO
            + " must be "
            + DelayHeaders.TO_ALLOWED
            + " or "
            + DelayHeaders.TO_METER
            + ": "
            + to);
  }

  private static long number(Headers headers, String name, long most)
      throws UnreadableEventException {
    String text = text(headers, name);
    if (text.isEmpty())
      throw new UnreadableEventException(FaultKind.INVALID_HEADER, name + " is missing");
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= most) return number;
    } catch (NumberFormatException e) {
      // Text that is no number gets the same error as a number out of bounds.
    }
    throw new UnreadableEventException(
        FaultKind.INVALID_HEADER, name + " must be a whole number, 0 to " + most + ": " + text);
  }

  private static String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }
}
