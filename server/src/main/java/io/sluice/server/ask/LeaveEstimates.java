package io.sluice.server.ask;

import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.Pause;
import io.sluice.topology.queue.WaitingList.Waiting;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Estimates of the instants at which waiting events leave: once all limits of an event are open and
 * not paused, after the events before it, at the pace of the limits, and within one more interval,
 * which the estimate at its arrival tells.
 */
final class LeaveEstimates {
  /** Estimate of an event for which no time is known. */
  static final long UNKNOWN = 0;

  /** Longest time until the release of an event that is shown, milliseconds. */
  private static final long MOST_WAIT_MS = 1L << 40;

  private final LimitsInForce limits;
  private final long nowMs;
  private final Set<String> inForce;

  LeaveEstimates(LimitsInForce limits, long nowMs) {
    this.limits = limits;
    this.nowMs = nowMs;
    inForce = limits.at(nowMs).all().stream().map(Limit::name).collect(Collectors.toSet());
  }

  /**
   * Returns the instant at which an event leaves, by an estimate, in epoch milliseconds; {@link
   * #UNKNOWN} if it waits for a pause whose end is not known, or cannot be decoded, so that its
   * settings are not known.
   */
  long ms(Waiting waiting) {
    if (waiting.event().isEmpty()) return UNKNOWN;
    Event event = waiting.event().get();
    long leastMs = nowMs;
    long mostMs = nowMs;
    for (Map.Entry<String, Integer> each : waiting.before().entrySet()) {
      if (!inForce.contains(each.getKey())) continue;
      List<Pause> pauses = limits.pauses(each.getKey(), event, nowMs);
      if (pauses.stream().anyMatch(pause -> !pause.hasEnd())) return UNKNOWN;
      Limit limit = limits.treatedLimit(each.getKey(), event, nowMs).limit();
      long startMs = pauses.stream().mapToLong(Pause::untilMs).reduce(nowMs, Math::max);
      // The limit may be closed when the pause ends.
      startMs = bounded(limit.hours().closedUntilMs(event, startMs).orElse(startMs));
      long others = each.getValue() + waiting.position() - 1L;
      leastMs = Math.max(leastMs, startMs + spanMs(limit, others));
      mostMs = Math.max(mostMs, startMs + spanMs(limit, others + 1));
    }
    long announcedMs = waiting.announcedMs().orElse(0);
    return bounded(Math.max(leastMs, Math.min(mostMs, announcedMs)));
  }

  private static long spanMs(Limit limit, long events) {
    return Math.min(MOST_WAIT_MS, KeyWaiting.spanMs(limit.rule().quota(), events));
  }

  private long bounded(long ms) {
    return Math.min(nowMs + MOST_WAIT_MS, ms);
  }
}
