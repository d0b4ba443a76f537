package io.sluice.server.ask;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.sluice.limiter.Quota;
import io.sluice.topology.delay.KeyOrder;
import io.sluice.topology.queue.KeyLine;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Waiting events of a key, as the API's response shows them.
 *
 * @param nextReleaseMs instant at which the first of them leaves, epoch milliseconds; empty if none
 *     waits, or if they wait for a pause whose end is not known
 * @param estimate whether that instant is an estimate, because the events wait in line
 * @param oldestMs if events wait in line, the arrival of the first, epoch milliseconds
 * @param before if events wait in line, the number of events in other lines that the first waits
 *     for
 */
record KeyWaiting(
    long count,
    boolean more,
    OptionalLong nextReleaseMs,
    @JsonInclude(Include.NON_DEFAULT) boolean estimate,
    @JsonInclude(Include.NON_EMPTY) OptionalLong oldestMs,
    @JsonInclude(Include.NON_EMPTY) OptionalLong before) {
  /** Returns the response about events that leave at reserved instants. */
  static KeyWaiting of(KeyOrder.Waiting all) {
    boolean any = all.count() > 0;
    return new KeyWaiting(
        all.count(),
        all.more(),
        any ? OptionalLong.of(all.nextMs()) : OptionalLong.empty(),
        false,
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /**
   * Returns the response about events that wait in line. The first of them is estimated to leave
   * when its own key conforms, and after the events before it at the buckets of its other limits.
   *
   * @param opensMs instant at which the key conforms again, epoch milliseconds
   * @param quotas quotas of the limits in force, by name
   */
  static KeyWaiting of(KeyLine line, long opensMs, long nowMs, Map<String, Quota> quotas) {
    if (line.count() == 0) {
      OptionalLong none = OptionalLong.empty();
      return new KeyWaiting(0, line.more(), none, false, none, none);
    }
    long before = 0;
    long nextMs = Math.max(nowMs, opensMs);
    for (Map.Entry<String, Integer> each : line.before().entrySet()) {
      before = Math.max(before, each.getValue());
      if (!quotas.containsKey(each.getKey())) continue;
      nextMs = Math.max(nextMs, nowMs + spanMs(quotas.get(each.getKey()), each.getValue()));
    }
    return new KeyWaiting(
        line.count(),
        line.more(),
        OptionalLong.of(nextMs),
        true,
        OptionalLong.of(line.oldestMs()),
        OptionalLong.of(before));
  }

  /** Returns these waiting events, of which none leaves at a time that is known. */
  KeyWaiting withoutNext() {
    return new KeyWaiting(count, more, OptionalLong.empty(), estimate, oldestMs, before);
  }

  /** Returns the time that a quota needs for a number of events of cost 1, milliseconds. */
  static long spanMs(Quota quota, long events) {
    double micros = (double) quota.periodMicros() * events / Math.max(1, quota.permits());
    return (long) Math.ceil(micros / 1_000);
  }
}
