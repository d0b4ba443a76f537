package io.sluice.rules.limit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.redis.Position;
import io.sluice.rules.event.Origin;
import java.util.Arrays;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Headers of the records on the topic of delayed events. Their names and values never change: any
 * producer may write to that topic, and later releases read what is written.
 */
public final class DelayHeaders {
  /** Due time of a delayed event, epoch milliseconds. A released event may keep it. */
  public static final String RELEASE_AT_MS = "sluice-release-at-ms";

  /**
   * Next step of a delayed event: {@link #HELD} or {@link #TO_METER} if it is metered again; absent
   * if it is allowed.
   */
  public static final String RELEASE_TO = "sluice-release-to";

  /** Record that a delayed event first came in, as topic-partition-offset. */
  public static final String ORIGIN = "sluice-origin";

  /**
   * Offset and sequence by which Redis knows an event that it did not answer about in time: Redis
   * may have metered it.
   */
  static final String ASKED_AS = "sluice-asked-as";

  public static final String TO_METER = "meter";

  /** Marks a record that only announces an event, which the meter already holds. */
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

  /** Writes the record that a delayed event first came in, by which it is recognised later. */
  public static void origin(Headers headers, Origin origin) {
    VerdictHeaders.add(headers, ORIGIN, origin.toString());
  }

  /** Returns the record that a delayed event first came in; unknown if no header names it. */
  public static Origin origin(Headers headers) {
    Header header = headers.lastHeader(ORIGIN);
    boolean none = header == null || header.value() == null;
    return none ? Origin.UNKNOWN : Origin.parse(new String(header.value(), UTF_8));
  }

  /**
   * Writes the position by which Redis was asked about an event that is set aside, if there is one.
   */
  public static void askedAs(Headers headers, Position position) {
    if (position.equals(Position.NONE)) return;
    VerdictHeaders.add(headers, ASKED_AS, position.offset() + " " + position.sequence());
  }

  /** Returns the position by which Redis was asked before; none if no valid header names one. */
  public static Position askedAs(Headers headers) {
    Header header = headers.lastHeader(ASKED_AS);
    if (header == null || header.value() == null) return Position.NONE;
    String[] parts = new String(header.value(), UTF_8).split(" ", 2);
    boolean valid = parts.length == 2 && parts[0].matches("[0-9]{1,15}");
    return valid ? new Position(parts[1], Long.parseLong(parts[0])) : Position.NONE;
  }

  /**
   * Marks a delayed event that the meter no longer holds: the meter of its new partition meters it.
   */
  public static void toMeter(Headers headers) {
    VerdictHeaders.add(headers.remove(RELEASE_TO), RELEASE_TO, TO_METER);
  }

  /** Returns the record that a delayed event first came in, and removes the header. */
  public static Origin takeOrigin(Headers headers) {
    Origin origin = origin(headers);
    headers.remove(ORIGIN);
    return origin;
  }

  /**
   * Removes all headers that begin with {@code sluice-} and do not belong to this topic's protocol.
   */
  public static void removeOthers(Headers headers) {
    for (Header header : headers.toArray()) {
      boolean other = VerdictHeaders.isOurs(header.key()) && !PROTOCOL.contains(header.key());
      if (other) headers.remove(header.key());
    }
  }

  /**
   * Turns the headers of a delayed event, except its origin, into those of a released one: allowed,
   * by the limit that delayed it, at its due time. The wait is over and is removed. The due time is
   * removed too if the event conformed at once and only waited for others, which is a matter of
   * chance.
   */
  static void release(Headers headers) {
    if (isZero(headers.lastHeader(VerdictHeaders.RETRY_AFTER_MS))) headers.remove(RELEASE_AT_MS);
    headers.remove(VerdictHeaders.VERDICT).remove(VerdictHeaders.RETRY_AFTER_MS).remove(RELEASE_TO);
    headers.add(VerdictHeaders.of(Verdict.Kind.ALLOWED));
  }

  /** Removes the verdict, except the results of limits in shadow mode, and the origin. */
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
