package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Limit as the suite configures it in Sluice and checks it afterwards, without code of the product.
 *
 * @param action action of the events that it matches
 * @param byTarget whether it counts by target, else by user
 * @param permits permits for each period
 * @param burst burst of a funnel
 * @param countsTries whether refused events use up quota, too
 * @param blockMs duration of the block after an exceeded limit; 0 for none
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
    /** Calendar window with a period of one hour. */
    CALENDAR("calendar-window"),
    /** Distinct targets of a user. */
    DISTINCT("sliding-window-log"),
    /** Distinct targets of a user, estimated. */
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

    /** Whether a cost above 1 counts as 1. */
    public boolean countsAsOne() {
      return countsTargets() || this == BLOOM;
    }
  }

  public enum Exceeded {
    REJECT,
    DELAY,
    RETRY
  }

  /** Maximum wait for a slot: enough for a queue, and short enough for the end of a run. */
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

  /** Returns a copy that blocks a key that exceeds it. */
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

  /** Returns the key by which the limit counts an event. */
  public String keyOf(Described event) {
    if (algorithm == Algorithm.BLOOM) return event.user() + " and " + event.target();
    return byTarget ? event.target() : event.user();
  }

  /** Returns the name of the shadow limit whose bucket clocks equal those of this limit. */
  public String clock() {
    return "clock-"
        + (inRedis ? "redis" : "stored")
        + (byTarget ? "-target" : "")
        + (algorithm == Algorithm.BLOOM ? "-pair" : "")
        + (countsTries ? "-tries" : "");
  }

  /** Returns the key fields as configured. */
  String key() {
    if (algorithm == Algorithm.BLOOM) return "userId,target";
    return byTarget ? "target" : "userId";
  }

  /** Returns the limit's lines for the properties file. */
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
      lines.add(prefix + "bloom.error=0.000001"); // low, as a replay meets other pairs before
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
