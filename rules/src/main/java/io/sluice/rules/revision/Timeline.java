package io.sluice.rules.revision;

import io.sluice.limiter.Rule;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.revision.LimitRevision.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Settings in force for the same events over time, in segments (periods between two changes).
 * Immutable.
 */
final class Timeline {
  static final Timeline NOTHING = new Timeline(InForce.NOTHING);

  private static final long[] NEVER = {};

  private final Timeline wider;
  private final long[] fromMs;
  private final InForce[] inForce;
  private final long[] resetsMs;

  /**
   * Quotas, waits and blocks over time, cached on first use; two threads that compute them at once
   * get equal results.
   */
  private List<NumbersChange> changes = List.of();

  private JudgedLimits judged = JudgedLimits.NONE;

  /** Cached on first use; null before. */
  private volatile long[] kindCuts;

  /**
   * Creates a timeline of a single segment (period without changes), whose settings never change.
   */
  private Timeline(InForce always) {
    wider = this;
    fromMs = new long[] {Long.MIN_VALUE};
    inForce = new InForce[] {always};
    resetsMs = new long[0];
  }

  /**
   * Creates a timeline of several segments (periods between two changes).
   *
   * @param wider timeline of the next wider scope
   * @param byInstant settings by the start of their segment; the first is {@link Long#MIN_VALUE}
   * @param resets instants at which buckets begin anew, in epoch milliseconds
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

  /**
   * Returns the timeline of the next wider scope; this timeline itself if there is no wider scope.
   */
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

  /** Returns the verdict that revisions of this scope itself set at an instant; empty if none. */
  String ownVerdict(long ms) {
    return ownVerdict(segment(ms));
  }

  private String ownVerdict(int segment) {
    return own(segment).getOrDefault(Settings.VERDICT, "");
  }

  /**
   * Returns the first later instant at which revisions of this scope set another verdict than at
   * this one, epoch milliseconds; {@link Long#MAX_VALUE} if there is none.
   */
  long verdictUntilMs(long ms) {
    int next = segment(ms) + 1;
    String verdict = ownVerdict(ms);
    while (next < fromMs.length && ownVerdict(next).equals(verdict)) next++;
    return next == fromMs.length ? Long.MAX_VALUE : fromMs[next];
  }

  /**
   * Returns the limit in force at an instant, with the quotas and waits of all instants.
   *
   * @param judged limits of the segments of this timeline
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

  /**
   * Returns the starts of the segments (periods between two changes) in epoch milliseconds; the
   * first is {@link Long#MIN_VALUE}.
   */
  long[] cuts() {
    return fromMs.clone();
  }

  /**
   * Returns the starts of the segments in which more than the quota and the wait of the limit has
   * changed, in epoch milliseconds; the first is {@link Long#MIN_VALUE}.
   */
  long[] kindCuts() {
    long[] made = kindCuts;
    if (made == null) {
      made =
          IntStream.range(0, fromMs.length)
              .filter(each -> each == 0 || !isAlike(inForce[each - 1], inForce[each]))
              .mapToLong(each -> fromMs[each])
              .toArray();
      kindCuts = made;
    }
    return made.clone();
  }

  private static boolean isAlike(InForce one, InForce other) {
    if (one.isEnabled() != other.isEnabled()) return false;
    if (one.treatedLimit().equals(other.treatedLimit())) return true;
    return one.treatedLimit().treatment() == other.treatedLimit().treatment()
        && LimitKind.of(one.limit()).equals(LimitKind.of(other.limit()));
  }

  /**
   * Returns the instant of the last change or reset, in epoch milliseconds; {@link Long#MIN_VALUE}
   * if there is none.
   */
  long lastCut() {
    long last = fromMs[fromMs.length - 1];
    return resetsNever() ? last : Math.max(last, resetsMs[resetsMs.length - 1]);
  }

  /** Returns whether a revision ever sets a verdict, which may replace metering. */
  boolean everSaysVerdict() {
    return Arrays.stream(inForce).anyMatch(InForce::saysVerdict);
  }

  /** Returns whether the limit ever has a queue, even in shadow mode. */
  boolean everQueues() {
    return Arrays.stream(inForce)
        .anyMatch(each -> each.limit().exceeded().kind() == Exceeded.Kind.QUEUE);
  }

  /** Returns whether the limit ever delays or retries, even in shadow mode. */
  boolean everWaitsAlone() {
    return Arrays.stream(inForce).anyMatch(each -> each.limit().exceeded().kind().waitsAlone());
  }

  /** Returns the instants at which buckets begin anew, in epoch milliseconds and in order. */
  long[] resets() {
    return resetsMs.clone();
  }

  boolean resetsNever() {
    return resetsMs.length == 0;
  }

  /** Returns the first settings in the timeline with which the limit exists. */
  InForce known() {
    for (InForce each : inForce) if (each.exists()) return each;
    return InForce.NOTHING;
  }

  /**
   * Returns the quotas, longest waits and blocks of the limit over time; empty if the limit never
   * exists.
   */
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

  /**
   * Returns whether counts that were made under one rule keep their meaning under the other rule.
   */
  private static boolean countsAs(Rule one, Rule other) {
    return one.algorithm() == other.algorithm()
        && one.quota().unit() == other.quota().unit()
        && one.zone().equals(other.zone());
  }

  /**
   * Content of a timeline, for comparisons: two timelines over the same wider timeline are equal if
   * their contents are equal.
   */
  record Content(
      List<Long> cuts, List<Map<String, String>> own, List<TreatedLimit> treatedLimits) {}

  /** Returns the settings that revisions of this scope itself set in a segment. */
  private Map<String, String> own(int segment) {
    InForce now = inForce[segment];
    return now == wider.at(fromMs[segment]) ? Map.of() : now.own();
  }

  Content content() {
    return new Content(
        LongStream.concat(Arrays.stream(fromMs), Arrays.stream(resetsMs)).boxed().toList(),
        IntStream.range(0, fromMs.length).mapToObj(this::own).toList(),
        Arrays.stream(inForce).map(InForce::treatedLimit).toList());
  }
}
