package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Arrival;
import io.sluice.topology.event.Origin;
import io.sluice.topology.event.UnreadableEventException;
import io.sluice.topology.event.UnreadableEventException.FaultKind;
import io.sluice.topology.limit.DelayHeaders;
import io.sluice.topology.limit.VerdictHeaders;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The instructions in the headers of a delayed record. Anybody may write such a record, so
 * everything is checked.
 *
 * @param to where it goes when it is due: {@link DelayHeaders#TO_ALLOWED} unless a header says
 *     otherwise
 * @param origin the record the event came in first, unknown if it came from elsewhere
 * @param attempt how often it has been metered, 0 if never
 */
record ReleaseOrder(long atMs, String to, Origin origin, int attempt) {
  private static final Set<String> KNOWN =
      Set.of(DelayHeaders.TO_ALLOWED, DelayHeaders.TO_METER, DelayHeaders.HELD);
  private static final long LATEST_MS = Arrival.LATEST_MICROS / 1_000 - 1;

  /**
   * Reads the order.
   *
   * @throws UnreadableEventException saying which header is wrong
   */
  static ReleaseOrder of(Headers headers) throws UnreadableEventException {
    long atMs = number(headers, DelayHeaders.RELEASE_AT_MS, LATEST_MS);
    boolean hasAttempt = headers.lastHeader(VerdictHeaders.ATTEMPT) != null;
    long attempt = hasAttempt ? number(headers, VerdictHeaders.ATTEMPT, Integer.MAX_VALUE - 1) : 0;
    String to = to(headers);
    Origin origin = DelayHeaders.origin(headers);
    if (to.equals(DelayHeaders.HELD) && !(hasAttempt && origin.isKnown())) throw held();
    return new ReleaseOrder(atMs, to, origin, (int) attempt);
  }

  /** The record would be passed over, and its event lost: the meter does not hold it. */
  private static UnreadableEventException held() {
    return new UnreadableEventException(
        FaultKind.INVALID_HEADER,
        DelayHeaders.RELEASE_TO
            + " is "
            + DelayHeaders.HELD
            + ", which only Sluice itself may write; to have an event metered, write "
            + DelayHeaders.TO_METER);
  }

  /** Whether it is to be metered again, by the meter that gets this. */
  boolean metersAgain() {
    return to.equals(DelayHeaders.TO_METER);
  }

  /** Whether it is only told that the event waits: the meter holds it. */
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
      // the same as one out of bounds
    }
    throw new UnreadableEventException(
        FaultKind.INVALID_HEADER, name + " must be a whole number, 0 to " + most + ": " + text);
  }

  private static String text(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null ? "" : new String(header.value(), UTF_8);
  }
}
