package io.sluice.topology.revision;

import io.sluice.limiter.Rule;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limit.Exceeded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private JudgedLimits judged = JudgedLimits.NONE;

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
    return inForce[segment(ms)];
  }

  private int segment(long ms) {
    if (fromMs.length == 1) return 0;
    int found = Arrays.binarySearch(fromMs, ms);
    return found < 0 ? -found - 2 : found;
  }

  /**
   * The limit that holds at an instant, with the numbers of all the time.
   *
   * @param judged of this timeline
   */
  Limit judgedAt(long ms, JudgedLimits judged) {
    return judged.in(segment(ms));
  }

  JudgedLimits judged() {
    JudgedLimits made = judged;
    if (made == JudgedLimits.NONE) {
      made = judged(changes());
      judged = made;
    }
    return made;
  }

  JudgedLimits judged(List<NumbersChange> numbers) {
    return JudgedLimits.of(Arrays.stream(inForce).map(InForce::limit).toList(), numbers);
  }

  /** The instants from which something else holds; the first is {@link Long#MIN_VALUE}. */
  long[] cuts() {
    return fromMs.clone();
  }

  /** The instant of the last change; {@link Long#MIN_VALUE} if there is none. */
  long lastCut() {
    long last = fromMs[fromMs.length - 1];
    return resetsNever() ? last : Math.max(last, resetsMs[resetsMs.length - 1]);
  }

  /** Whether there is ever a verdict without metering. */
  boolean everSaysVerdict() {
    return Arrays.stream(inForce).anyMatch(InForce::saysVerdict);
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
    Optional<Rule> before = Optional.empty();
    for (int i = 0; i < fromMs.length; i++) {
      if (!inForce[i].exists()) continue;
      Limit limit = inForce[i].limit();
      Rule rule = limit.rule();
      boolean another = before.filter(last -> !countsAs(last, rule)).isPresent();
      boolean reset = !made.isEmpty() && Arrays.binarySearch(resetsMs, fromMs[i]) >= 0;
      boolean anew = reset || another;
      before = Optional.of(rule);
      if (limit.exceeded() instanceof Exceeded.Delay delay) delayMax = delay.maxWaitMicros();
      long from = made.isEmpty() ? Long.MIN_VALUE : fromMs[i];
      NumbersChange next =
          new NumbersChange(from, rule.quota(), delayMax, rule.blockMicros(), anew);
      boolean same = !made.isEmpty() && next.isAs(made.get(made.size() - 1));
      if (!same || anew) made.add(next);
    }
    return made;
  }

  /** Whether what was counted by the one means the same to the other. */
  private static boolean countsAs(Rule one, Rule other) {
    return one.algorithm() == other.algorithm()
        && one.quota().unit() == other.quota().unit()
        && one.zone().equals(other.zone());
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
