package io.sluice.guarantees.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Limit of a test run, which the suite configures in Sluice and checks afterwards without code of
 * Sluice.
 *
 * @param action action of the events that the limit matches
 * @param inRedis whether the limit counts in Redis, else in the state store
 * @param byTarget whether the limit counts by the target of events, else by the user
 * @param permits permits in each period
 * @param burst burst of a funnel, in permits
 * @param exceeded reaction to an event over the limit
 * @param countsTries whether refused events also use up permits
 * @param blockMs duration of the block of a key that exceeds the limit; 0 for no block
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
    /** Calendar window whose periods are full hours. */
    CALENDAR("calendar-window"),
    /** Sliding window log that counts the distinct targets of a user instead of events. */
    DISTINCT("sliding-window-log"),
    /** HyperLogLog sketch that estimates the number of distinct targets of a user. */
    SKETCH("hyperloglog"),
    /** Bloom filter that allows each target of a user once. */
    BLOOM("bloom");

    final String text;

    Algorithm(String text) {
      this.text = text;
    }

    public boolean countsTargets() {
      return this == DISTINCT || this == SKETCH;
    }

    /** Whether an event with a cost above 1 is charged only 1 permit. */
    public boolean countsAsOne() {
      return countsTargets() || this == BLOOM;
    }
  }

  public enum Exceeded {
    REJECT,
    DELAY,
    RETRY
  }

  /**
   * Maximum delay of an event: long enough for a queue of events, and short enough for the end of a
   * run.
   */
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

  /**
   * Returns a copy of the limit that blocks a key for some milliseconds after the key exceeds it.
   */
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

  /**
   * Returns the name of the shadow limit that shows the times by which this limit judges events:
   * the clocks of its keys equal those of this limit.
   */
  public String clock() {
    return "clock-"
        + (inRedis ? "redis" : "stored")
        + (byTarget ? "-target" : "")
        + (algorithm == Algorithm.BLOOM ? "-pair" : "")
        + (countsTries ? "-tries" : "");
  }

  /** Returns the key fields as the setting {@code key} lists them. */
  String key() {
    if (algorithm == Algorithm.BLOOM) return "userId,target";
    return byTarget ? "target" : "userId";
  }

  /** Returns the lines of the properties file that configure the limit. */
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
      lines.add(prefix + "bloom.error=0.000001"); // low: false positives would differ in a replay
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
