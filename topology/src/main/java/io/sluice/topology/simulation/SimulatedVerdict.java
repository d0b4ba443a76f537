package io.sluice.topology.simulation;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.DelayHeaders;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Verdict;
import io.sluice.rules.limit.VerdictHeaders;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Verdict on an event in a {@link Simulation}, read from the headers of the output record. */
public final class SimulatedVerdict {
  private final long number;
  private final Event event;
  private final Headers headers;
  private final String verdict;
  private final String limit;
  private final String key;

  SimulatedVerdict(long number, Event event, Headers headers, Limits limits) {
    this.number = number;
    this.event = event;
    this.headers = headers;
    verdict = header(VerdictHeaders.VERDICT);
    limit = header(VerdictHeaders.LIMIT);
    key = key(limits);
  }

  private String key(Limits limits) {
    if (limit.isEmpty()) return event.userId();
    for (Limit each : limits.all()) {
      if (each.name().equals(limit)) return each.key().of(event);
    }
    return event.userId();
  }

  /** Returns the number of the event: equal for all verdicts on the event, unique among events. */
  public long number() {
    return number;
  }

  public boolean isAllowed() {
    return verdict.equals(Verdict.Kind.ALLOWED.text);
  }

  public boolean isRejected() {
    return verdict.equals(Verdict.Kind.REJECTED.text);
  }

  /** Returns whether the event is delayed, so that another verdict on it follows when it is due. */
  public boolean isDelayed() {
    return verdict.equals(Verdict.Kind.DELAYED.text);
  }

  /** Returns the name of the limit that decided; empty if no limit decided. */
  public String limit() {
    return limit;
  }

  /** Returns the event's key for the limit that decided; the event's user if no limit decided. */
  public String key() {
    return key;
  }

  /** Returns the due time of a delayed event, epoch milliseconds. */
  long dueMs() {
    return Long.parseLong(header(DelayHeaders.RELEASE_AT_MS));
  }

  /** Returns the verdict as a JSON object in one line, without empty fields. */
  public String json() {
    return new JsonLine()
        .text("eventId", event.eventId())
        .text("userId", event.userId())
        .text("action", event.action())
        .text("verdict", verdict)
        .text("limit", limit)
        .number("remaining", header(VerdictHeaders.REMAINING))
        .number("retryAfterMs", header(VerdictHeaders.RETRY_AFTER_MS))
        .number("resetAfterMs", header(VerdictHeaders.RESET_AFTER_MS))
        .number("releaseAtMs", header(DelayHeaders.RELEASE_AT_MS))
        .text("reason", header(VerdictHeaders.REASON))
        .number("attempt", header(VerdictHeaders.ATTEMPT))
        .end();
  }

  private String header(String name) {
    return header(headers, name);
  }

  /** Returns the text of a header; empty if there is no such header. */
  static String header(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }
}
