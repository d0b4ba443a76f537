package io.sluice.guarantees;

import java.util.ArrayList;
import java.util.List;

/**
 * A limit as the suite configures it, and as it then holds events against it: the same numbers, and
 * none of the product's code.
 *
 * @param action the events it is for
 * @param byTarget whether it counts by target, else by user
 * @param permits of each period
 * @param burst how many at once, of a funnel
 */
record Limit(
    String name,
    String action,
    Algorithm algorithm,
    boolean inRedis,
    boolean byTarget,
    long permits,
    long periodMs,
    long burst,
    Exceeded exceeded) {

  enum Algorithm {
    FUNNEL("funnel"),
    LOG("sliding-window-log"),
    COUNTER("sliding-window-counter");

    final String text;

    Algorithm(String text) {
      this.text = text;
    }
  }

  enum Exceeded {
    REJECT,
    DELAY,
    RETRY
  }

  /** The longest wait for a slot: long enough for a queue, short enough for the end of a run. */
  private static final String DELAY_MAX = "8s";

  /** What the limit counts an event by. */
  String keyOf(Described event) {
    return byTarget ? event.target() : event.user();
  }

  /** Its lines in the properties file. */
  List<String> settings() {
    String prefix = "sluice.limit." + name + ".";
    List<String> lines = new ArrayList<>();
    lines.add(prefix + "match.action=" + action);
    lines.add(prefix + "key=" + (byTarget ? "target" : "userId"));
    lines.add(prefix + "quota=" + permits + "/" + periodMs + "ms");
    lines.add(prefix + "algorithm=" + algorithm.text);
    lines.add(prefix + "backend=" + (inRedis ? "redis" : "state-store"));
    lines.add(prefix + "exceeded=" + exceeded.name().toLowerCase(java.util.Locale.ROOT));
    if (algorithm == Algorithm.FUNNEL) lines.add(prefix + "burst=" + burst);
    if (exceeded == Exceeded.DELAY) lines.add(prefix + "delay.max=" + DELAY_MAX);
    return lines;
  }
}
