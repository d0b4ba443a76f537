package io.sluice.topology.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.redis.Position;
import io.sluice.topology.event.Origin;
import java.util.Arrays;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * The headers by which the topic of delayed events is read. Anybody may write there, and what is
 * written is read by later releases: these names and values stay.
 */
public final class DelayHeaders {
  /** When a delayed event is due, epoch milliseconds. It stays with the event when it leaves. */
  public static final String RELEASE_AT_MS = "sluice-release-at-ms";

  /**
   * {@link #HELD} or {@link #TO_METER} if a delayed event is then metered again; absent if it is
   * allowed.
   */
  public static final String RELEASE_TO = "sluice-release-to";

  /** The record that a delayed event came in, as topic-partition-offset. */
  public static final String ORIGIN = "sluice-origin";

  /**
   * Offset and sequence by which Redis knows an event that it did not answer about in time: it may
   * have metered the event.
   */
  static final String ASKED_AS = "sluice-asked-as";

  public static final String TO_METER = "meter";

  /** The meter holds the event already: the record only tells of it. */
  public static final String HELD = "held";

  public static final String TO_ALLOWED = "allowed";

  private static final Set<String> PROTOCOL =
      Set.of(
          VerdictHeaders.VERDICT,
          VerdictHeaders.LIMIT,
          VerdictHeaders.REMAINING,
          VerdictHeaders.RETRY_AFTER_MS,
          VerdictHeaders.RESET_AFTER_MS,
          VerdictHeaders.REASON,
          VerdictHeaders.ATTEMPT,
          VerdictHeaders.SHADOW,
          RELEASE_AT_MS,
          RELEASE_TO,
          ORIGIN,
          ASKED_AS);

  private DelayHeaders() {}

  static void schedule(Headers headers, Release release) {
    VerdictHeaders.add(headers, RELEASE_AT_MS, release.atMs());
    if (release.metersAgain()) VerdictHeaders.add(headers, RELEASE_TO, HELD);
  }

  /** Names the record that a delayed event came in, by which it is known when it comes back. */
  public static void origin(Headers headers, Origin origin) {
    VerdictHeaders.add(headers, ORIGIN, origin.toString());
  }

  /** The record that a delayed event came in, as its header says; unknown if it has none. */
  public static Origin origin(Headers headers) {
    Header header = headers.lastHeader(ORIGIN);
    boolean none = header == null || header.value() == null;
    return none ? Origin.UNKNOWN : Origin.parse(new String(header.value(), UTF_8));
  }

  /** Names the position by which Redis was asked about an event that is set aside. */
  public static void askedAs(Headers headers, Position position) {
    if (position.equals(Position.NONE)) return;
    VerdictHeaders.add(headers, ASKED_AS, position.offset() + " " + position.sequence());
  }

  /** The position by which Redis was asked about an event before; none if no header says so. */
  public static Position askedAs(Headers headers) {
    Header header = headers.lastHeader(ASKED_AS);
    if (header == null || header.value() == null) return Position.NONE;
    String[] parts = new String(header.value(), UTF_8).split(" ", 2);
    boolean valid = parts.length == 2 && parts[0].matches("[0-9]{1,15}");
    return valid ? new Position(parts[1], Long.parseLong(parts[0])) : Position.NONE;
  }

  /** Has a delayed event that the meter does not hold any more metered again where it goes. */
  public static void toMeter(Headers headers) {
    VerdictHeaders.add(headers.remove(RELEASE_TO), RELEASE_TO, TO_METER);
  }

  /** The same, which nobody needs to know any more. */
  public static Origin takeOrigin(Headers headers) {
    Origin origin = origin(headers);
    headers.remove(ORIGIN);
    return origin;
  }

  /** Takes away all that are named as ours are, except what this topic is read by. */
  public static void removeOthers(Headers headers) {
    for (Header header : headers.toArray()) {
      boolean other = VerdictHeaders.isOurs(header.key()) && !PROTOCOL.contains(header.key());
      if (other) headers.remove(header.key());
    }
  }

  /**
   * Turns the headers of a delayed event, all but its origin, into those that it leaves with when
   * it is due: allowed, by the limit that delayed it, at the time it was due. The wait is over and
   * not mentioned; nor is the time, if it conformed at once and only let others go first, which is
   * a matter of chance.
   */
  static void release(Headers headers) {
    if (isZero(headers.lastHeader(VerdictHeaders.RETRY_AFTER_MS))) headers.remove(RELEASE_AT_MS);
    headers.remove(VerdictHeaders.VERDICT).remove(VerdictHeaders.RETRY_AFTER_MS).remove(RELEASE_TO);
    headers.add(VerdictHeaders.of(Verdict.Kind.ALLOWED));
  }

  /** Takes away the verdict, but for what limits said that only watch, and where it came from. */
  static void removeVerdict(Headers headers) {
    for (String name : PROTOCOL) {
      boolean stays = name.equals(VerdictHeaders.SHADOW) || name.equals(ORIGIN);
      if (!stays) headers.remove(name);
    }
  }

  private static boolean isZero(Header wait) {
    return wait != null && Arrays.equals(wait.value(), new byte[] {'0'});
  }
}
