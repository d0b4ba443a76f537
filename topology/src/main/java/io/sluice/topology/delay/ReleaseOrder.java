package io.sluice.topology.delay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.Arrival;
import io.sluice.topology.event.Origin;
import io.sluice.topology.event.UnreadableEventException;
import io.sluice.topology.event.UnreadableEventException.FaultKind;
import io.sluice.topology.limit.DelayHeaders;
import io.sluice.topology.limit.VerdictHeaders;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The instructions in the headers of a delayed record. Anybody may write such a record, so
 * everything is checked.
 *
 * @param origin the record the event came in first, unknown if it came from elsewhere
 * @param attempt how often it has been metered, 0 if never
 */
record ReleaseOrder(long atMs, boolean metersAgain, Origin origin, int attempt) {
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
    return new ReleaseOrder(
        atMs, metersAgain(headers), DelayHeaders.origin(headers), (int) attempt);
  }

  private static boolean metersAgain(Headers headers) throws UnreadableEventException {
    String to = text(headers, DelayHeaders.RELEASE_TO);
    boolean meters = to.equals(DelayHeaders.TO_METER);
    if (!meters && !to.isEmpty() && !to.equals(DelayHeaders.TO_ALLOWED)) {
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
    return meters;
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
