package io.sluice.rules.limit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.sluice.limiter.redis.Position;
import io.sluice.rules.event.Origin;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Headers of the records on the topic of delayed events. Their names and values stay the same in
 * all releases, because any producer may write to that topic, and later releases read its records.
 */
public final class DelayHeaders {
  /**
   * Header with the due time of a delayed event, in epoch milliseconds. A released event may keep
   * it.
   */
  public static final String RELEASE_AT_MS = VerdictField.RELEASE_AT_MS.header();

  /**
   * Header with the next step of a delayed event: {@link #HELD} or {@link #TO_METER} if the event
   * is metered again when it is due; absent, or {@link #TO_ALLOWED}, if it is then allowed.
   */
  public static final String RELEASE_TO = "sluice-release-to";

  /** Header with the record in which a delayed event first arrived, as topic-partition-offset. */
  public static final String ORIGIN = "sluice-origin";

  /**
   * Header with the offset and sequence by which Redis was asked to meter an event. It is set if
   * Redis did not answer in time, because Redis may have metered the event.
   */
  static final String ASKED_AS = "sluice-asked-as";

  /**
   * Header of a control record: an order about the events that wait in line, such as {@link
   * #CANCEL}. The record is no event.
   */
  public static final String CONTROL = "sluice-control";

  /** Value of {@link #CONTROL} in an order to cancel events. */
  public static final String CANCEL = "cancel";

  public static final String TO_METER = "meter";

  /**
   * Value of {@link #RELEASE_TO} in a record that only announces a delayed event: the metering node
   * stores the event itself, and meters it again when it is due.
   */
  public static final String HELD = "held";

  public static final String TO_ALLOWED = "allowed";

  private static final Set<String> VERDICT_FIELDS =
      Arrays.stream(VerdictField.values()).map(VerdictField::header).collect(toUnmodifiableSet());

  private static final Set<String> OTHERS =
      Set.of(VerdictHeaders.SHADOW, RELEASE_TO, ORIGIN, ASKED_AS);

  private DelayHeaders() {}

  /** Marks an event as one that the metering node stores, and meters again when it is due. */
  static void hold(Headers headers) {
    VerdictHeaders.add(headers, RELEASE_TO, HELD);
  }

  /**
   * Writes the header with the record in which a delayed event first arrived, which identifies the
   * event later.
   */
  public static void origin(Headers headers, Origin origin) {
    VerdictHeaders.add(headers, ORIGIN, origin.toString());
  }

  /** Returns the record in which a delayed event first arrived; unknown if no header names it. */
  public static Origin origin(Headers headers) {
    Header header = headers.lastHeader(ORIGIN);
    boolean none = header == null || header.value() == null;
    return none ? Origin.UNKNOWN : Origin.parse(new String(header.value(), UTF_8));
  }

  /**
   * Returns the due time of a delayed event, epoch milliseconds; empty if no valid header has it.
   */
  public static OptionalLong releaseAtMs(Headers headers) {
    Header header = headers.lastHeader(RELEASE_AT_MS);
    if (header == null || header.value() == null) return OptionalLong.empty();
    String text = new String(header.value(), UTF_8);
    return text.matches("[0-9]{1,15}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /** Returns the kind of a control record; empty if the record is a delayed event. */
  public static Optional<String> control(Headers headers) {
    Header header = headers.lastHeader(CONTROL);
    if (header == null) return Optional.empty();
    return Optional.of(header.value() == null ? "" : new String(header.value(), UTF_8));
  }

  /**
   * Writes the header with the position by which Redis was asked to meter an event; writes nothing
   * if Redis was not asked.
   */
  public static void askedAs(Headers headers, Position position) {
    if (position.equals(Position.NONE)) return;
    VerdictHeaders.add(headers, ASKED_AS, position.offset() + " " + position.sequence());
  }

  /**
   * Returns the position by which Redis was asked before to meter an event; {@link Position#NONE}
   * if no valid header has a position.
   */
  public static Position askedAs(Headers headers) {
    Header header = headers.lastHeader(ASKED_AS);
    if (header == null || header.value() == null) return Position.NONE;
    String[] parts = new String(header.value(), UTF_8).split(" ", 2);
    boolean valid = parts.length == 2 && parts[0].matches("[0-9]{1,15}");
    return valid ? new Position(parts[1], Long.parseLong(parts[0])) : Position.NONE;
  }

  /**
   * Marks a delayed event that the metering node no longer stores, because its home partition has
   * changed: the metering node of the new partition meters it.
   */
  public static void toMeter(Headers headers) {
    VerdictHeaders.add(headers.remove(RELEASE_TO), RELEASE_TO, TO_METER);
  }

  /**
   * Marks a queued event that the metering node no longer stores, because its home partition has
   * changed. It is due now; before, its due time was an estimate.
   */
  public static void toMeterAt(long nowMs, Headers headers) {
    VerdictHeaders.add(headers.remove(RELEASE_AT_MS), RELEASE_AT_MS, nowMs);
    headers.remove(VerdictField.ESTIMATE.header());
    toMeter(headers);
  }

  /**
   * Returns the record in which a delayed event first arrived, and removes the header that names
   * it.
   */
  public static Origin takeOrigin(Headers headers) {
    Origin origin = origin(headers);
    headers.remove(ORIGIN);
    return origin;
  }

  /**
   * Removes all headers that begin with {@code sluice-} and are not defined for records on the
   * topic of delayed events.
   */
  public static void removeOthers(Headers headers) {
    for (Header header : headers.toArray()) {
      String name = header.key();
      boolean isDefined = VERDICT_FIELDS.contains(name) || OTHERS.contains(name);
      if (VerdictHeaders.isOurs(name) && !isDefined) headers.remove(name);
    }
  }

  /**
   * Turns the headers of a delayed event into those of a released event: its verdict becomes
   * allowed, and the headers with the wait and the next step are removed. The due time is removed
   * too if the event conformed at once and only waited behind other events, because such a wait
   * depends on chance.
   */
  static void release(Headers headers) {
    String wait = VerdictField.RETRY_AFTER_MS.header();
    if (isZero(headers.lastHeader(wait))) headers.remove(RELEASE_AT_MS);
    headers.remove(VerdictField.VERDICT.header()).remove(wait).remove(RELEASE_TO);
    headers.add(VerdictHeaders.of(Verdict.Kind.ALLOWED));
  }

  /**
   * Removes all headers of a delayed event's verdict and due time. The results of limits in shadow
   * mode and the origin stay.
   */
  static void removeVerdict(Headers headers) {
    VERDICT_FIELDS.forEach(headers::remove);
    headers.remove(RELEASE_TO).remove(ASKED_AS);
  }

  private static boolean isZero(Header wait) {
    return wait != null && Arrays.equals(wait.value(), new byte[] {'0'});
  }
}
