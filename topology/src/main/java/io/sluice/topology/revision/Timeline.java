package io.sluice.topology.revision;

import io.sluice.limiter.Quota;
import io.sluice.topology.limit.Exceeded;
import io.sluice.topology.limit.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** What holds for the same events over time: one thing after another. Immutable. */
final class Timeline {
  static final Timeline NOTHING = new Timeline(InForce.NOTHING);

  private static final long[] NEVER = {};

  private final Timeline wider;
  private final long[] fromMs;
  private final InForce[] inForce;
  private final long[] resetsMs;

  /** Made when first asked for; whoever makes it again makes an equal one. */
  private List<NumbersChange> changes = List.of();

  /** One thing always. */
  private Timeline(InForce always) {
    wider = this;
    fromMs = new long[] {Long.MIN_VALUE};
    inForce = new InForce[] {always};
    resetsMs = new long[0];
  }

  /**
   * @param wider that of the next wider scope
   * @param byInstant begins at {@link Long#MIN_VALUE}
   */
  Timeline(Timeline wider, Map<Long, InForce> byInstant, List<Long> resets) {
    this.wider = wider;
    fromMs = byInstant.keySet().stream().mapToLong(Long::longValue).toArray();
    inForce = byInstant.values().toArray(InForce[]::new);
    resetsMs = resets.isEmpty() ? NEVER : resets.stream().mapToLong(Long::longValue).toArray();
  }

  static Timeline always(InForce inForce) {
    return new Timeline(inForce);
  }

  /** That of the next wider scope; itself if there is none. */
  Timeline wider() {
    return wider;
  }

  InForce at(long ms) {
    int found = Arrays.binarySearch(fromMs, ms);
    return inForce[found < 0 ? -found - 2 : found];
  }

  /** The instants from which something else holds; the first is {@link Long#MIN_VALUE}. */
  long[] cuts() {
    return fromMs.clone();
  }

  /** The instants at which buckets begin anew, in order. */
  long[] resets() {
    return resetsMs.clone();
  }

  boolean resetsNever() {
    return resetsMs.length == 0;
  }

  /** What held at first, since when there is such a limit at all. */
  InForce known() {
    for (InForce each : inForce) if (each.exists()) return each;
    return InForce.NOTHING;
  }

  /** The numbers over time; nothing if there never is such a limit. */
  List<NumbersChange> changes() {
    List<NumbersChange> made = changes;
    if (made.isEmpty()) {
      made = List.copyOf(numbers());
      changes = made;
    }
    return made;
  }

  private List<NumbersChange> numbers() {
    List<NumbersChange> made = new ArrayList<>();
    long delayMax = 0;
    for (int i = 0; i < fromMs.length; i++) {
      boolean anew = !made.isEmpty() && Arrays.binarySearch(resetsMs, fromMs[i]) >= 0;
      if (!inForce[i].exists()) continue;
      Limit limit = inForce[i].limit();
      if (limit.exceeded() instanceof Exceeded.Delay delay) delayMax = delay.maxWaitMicros();
      Quota quota = limit.rule().quota();
      long from = made.isEmpty() ? Long.MIN_VALUE : fromMs[i];
      boolean same = !made.isEmpty() && isSame(made.get(made.size() - 1), quota, delayMax);
      if (!same || anew) made.add(new NumbersChange(from, quota, delayMax, anew));
    }
    return made;
  }

  private static boolean isSame(NumbersChange last, Quota quota, long delayMaxMicros) {
    return last.quota().equals(quota) && last.delayMaxMicros() == delayMaxMicros;
  }

  /** All that it says, over the wider one that it is over. */
  record Content(List<Long> cuts, List<Map<String, String>> own, List<Ruling> rulings) {}

  Content content() {
    return new Content(
        LongStream.concat(Arrays.stream(fromMs), Arrays.stream(resetsMs)).boxed().toList(),
        Arrays.stream(inForce).map(InForce::own).toList(),
        Arrays.stream(inForce).map(InForce::ruling).toList());
  }
}
