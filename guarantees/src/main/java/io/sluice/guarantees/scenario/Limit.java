package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A limit as the suite configures it, and as it then holds events against it: the same numbers, and
 * none of the product's code.
 *
 * @param action the events it is for
 * @param byTarget whether it counts by target, else by user
 * @param permits of each period
 * @param burst how many at once, of a funnel
 * @param countsTries whether refused events use up the quota as well
 * @param blockMs how long who goes over it is refused from then on; 0 if nobody is
 */
public record Limit(
    String name,
    String action,
    Algorithm algorithm,
    boolean inRedis,
    boolean byTarget,
    long permits,
    long periodMs,
    long burst,
    Exceeded exceeded,
    boolean countsTries,
    long blockMs) {

  public enum Algorithm {
    FUNNEL("funnel"),
    LOG("sliding-window-log"),
    COUNTER("sliding-window-counter"),
    /** Its period is an hour of the calendar. */
    CALENDAR("calendar-window"),
    /** Different targets of a user. */
    DISTINCT("sliding-window-log"),
    /** The same, estimated. */
    SKETCH("hyperloglog"),
    /** Each target of a user once. */
    BLOOM("bloom");

    final String text;

    Algorithm(String text) {
      this.text = text;
    }

    public boolean countsTargets() {
      return this == DISTINCT || this == SKETCH;
    }

    /** Whether it makes no difference how much more than 1 an event costs. */
    public boolean countsAsOne() {
      return countsTargets() || this == BLOOM;
    }
  }

  public enum Exceeded {
    REJECT,
    DELAY,
    RETRY
  }

  /** The longest wait for a slot: long enough for a queue, short enough for the end of a run. */
  private static final String DELAY_MAX = "8s";

  Limit(
      String name,
      String action,
      Algorithm algorithm,
      boolean inRedis,
      boolean byTarget,
      long permits,
      long periodMs,
      long burst,
      Exceeded exceeded,
      boolean countsTries) {
    this(
        name,
        action,
        algorithm,
        inRedis,
        byTarget,
        permits,
        periodMs,
        burst,
        exceeded,
        countsTries,
        0);
  }

  /** The same, which blocks who goes over it. */
  Limit blocking(long forMs) {
    return new Limit(
        name,
        action,
        algorithm,
        inRedis,
        byTarget,
        permits,
        periodMs,
        burst,
        exceeded,
        countsTries,
        forMs);
  }

  public boolean matches(Described event) {
    return event.action().equals(action) && !event.isPoison();
  }

  /** What the limit counts an event by. */
  public String keyOf(Described event) {
    if (algorithm == Algorithm.BLOOM) return event.user() + " and " + event.target();
    return byTarget ? event.target() : event.user();
  }

  /** The clock that stands where this limit's does. */
  public String clock() {
    return "clock-"
        + (inRedis ? "redis" : "stored")
        + (byTarget ? "-target" : "")
        + (algorithm == Algorithm.BLOOM ? "-pair" : "")
        + (countsTries ? "-tries" : "");
  }

  /** The fields of its key. */
  String key() {
    if (algorithm == Algorithm.BLOOM) return "userId,target";
    return byTarget ? "target" : "userId";
  }

  /** Its lines in the properties file. */
  List<String> settings(Modes.WithoutRedis withoutRedis) {
    String prefix = "sluice.limit." + name + ".";
    List<String> lines = new ArrayList<>();
    lines.add(prefix + "match.action=" + action);
    lines.add(prefix + "key=" + key());
    String period = algorithm == Algorithm.CALENDAR ? "hour" : periodMs + "ms";
    lines.add(prefix + "quota=" + permits + "/" + period);
    lines.add(prefix + "algorithm=" + algorithm.text);
    lines.add(prefix + "exceeded=" + exceeded.name().toLowerCase(Locale.ROOT));
    lines.addAll(backend(prefix, inRedis, withoutRedis));
    if (algorithm == Algorithm.FUNNEL) lines.add(prefix + "burst=" + burst);
    if (exceeded == Exceeded.DELAY) lines.add(prefix + "delay.max=" + DELAY_MAX);
    if (countsTries) lines.add(prefix + "count=attempts");
    if (algorithm.countsTargets()) lines.add(prefix + "distinct=target");
    if (algorithm == Algorithm.BLOOM) {
      lines.add(prefix + "bloom.capacity=1_000_000");
      lines.add(prefix + "bloom.error=0.000001"); // a replay has other pairs before it
    }
    if (blockMs > 0) lines.add(prefix + "block=" + blockMs + "ms");
    return lines;
  }

  static List<String> backend(String prefix, boolean inRedis, Modes.WithoutRedis withoutRedis) {
    return inRedis
        ? List.of(prefix + "backend=redis", prefix + "redis.unavailable=" + withoutRedis.text())
        : List.of(prefix + "backend=state-store");
  }
}
