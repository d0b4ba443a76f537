package io.sluice.guarantees.promise;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.header.Header;

/**
 * Times by which limits judged events, as shown by headers of the outputs and as implied by the
 * inputs.
 */
final class Clocks {
  private static final Pattern TOLD =
      Pattern.compile("limit=([^;]+);.*remaining=(\\d+);.*reset-after-ms=(\\d+)");
  private static final Between UNKNOWN = new Between(0, Long.MAX_VALUE);

  /**
   * Interval that contains the time by which an event was judged, in epoch milliseconds, both ends
   * inclusive.
   */
  record Between(long fromMs, long toMs) {}

  private final History history;
  private final Map<String, Map<Long, Between>> impliedBy = new HashMap<>();

  /** Remaining permits that shadow limits show for more than one charged event of a key. */
  private final Set<String> seenAgain = new HashSet<>();

  Clocks(History history) {
    this.history = history;
    for (Limit limit : history.limits().all()) {
      impliedBy.put(limit.name(), implied(limit));
      if (limit.inRedis()) findRepeated(limit);
    }
  }

  private void findRepeated(Limit limit) {
    Map<String, Identity> seen = new HashMap<>();
    history
        .ends()
        .filter(end -> limit.matches(end.event()) && isCharged(limit, end))
        .forEach(
            end ->
                remaining(limit, end)
                    .filter(each -> isOther(seen.putIfAbsent(each, Identity.of(end.event())), end))
                    .ifPresent(seenAgain::add));
  }

  private static boolean isOther(Identity before, Kept end) {
    return before != null && !before.equals(Identity.of(end.event()));
  }

  /**
   * Returns the interval of the judgement time that the inputs imply: a limit judges an event at
   * its own time, or at the latest time of earlier charges of its key if that is later. Times of
   * other keys have no influence. If an event waited until Redis was back, later events were
   * metered before it.
   */
  Between implied(Limit limit, Kept output) {
    return impliedBy.get(limit.name()).getOrDefault(output.number(), UNKNOWN);
  }

  private Map<Long, Between> implied(Limit limit) {
    Map<Long, Between> implied = new HashMap<>();
    history.inputs().stream()
        .filter(input -> limit.matches(input.event()))
        .collect(Collectors.groupingBy(input -> limit.keyOf(input.event())))
        .values()
        .forEach(inputs -> new OneKey(limit, inputs).into(implied));
    return implied;
  }

  /** Input events of one key of a limit, in their order. */
  private final class OneKey {
    private final Limit limit;
    private final Map<String, List<Kept>> byWay;

    OneKey(Limit limit, List<Kept> inputs) {
      this.limit = limit;
      byWay = inputs.stream().collect(Collectors.groupingBy(OneKey::way));
    }

    /**
     * Returns the group of events among which an event has an order: events of one input partition
     * and user. Users who share a key may have different home partitions, between which there is no
     * order.
     */
    private static String way(Kept input) {
      return input.place() + " " + input.event().user();
    }

    void into(Map<Long, Between> implied) {
      byWay.values().forEach(inputs -> into(implied, inputs));
    }

    private void into(Map<Long, Between> implied, List<Kept> inputs) {
      long fromMs = 0;
      long toMs = isAlone() ? 0 : Long.MAX_VALUE;
      Set<Identity> seen = new HashSet<>();
      boolean inOrder = isKnown();
      for (Kept input : inputs) {
        inOrder &= !history.announcements().isSetAside(input);
        long ownMs = input.event().occurredAtMs();
        Between judged = new Between(Math.max(ownMs, fromMs), Math.max(latestMs(input), toMs));
        boolean again = !seen.add(Identity.of(input.event()));
        implied.put(input.number(), inOrder ? judged : unordered(input));
        if (mayHaveMoved(input)) toMs = judged.toMs();
        if (hasMoved(input) && !(again && repeats())) fromMs = judged.fromMs();
      }
    }

    /** Whether the events of one group alone move the key's clock, in a known order. */
    private boolean isAlone() {
      return byWay.size() == 1 && isAlwaysAsked();
    }

    /**
     * Whether all events were metered in Redis, if the limit counts in Redis. Otherwise a first
     * attempt without Redis may be undone, and the second attempt be judged in Redis after later
     * events.
     */
    private boolean isAlwaysAsked() {
      return !limit.inRedis() || history.modes().withoutRedis() == Modes.WithoutRedis.WAIT;
    }

    /** Whether the events were judged once each, in the order of the input partition. */
    private boolean isKnown() {
      boolean retried = limit.exceeded() == Limit.Exceeded.RETRY;
      return history.modes().areRepeatable() && !retried && isAlwaysAsked();
    }

    private Between unordered(Kept input) {
      Described event = input.event();
      return new Between(
          history.modes().wallClock() ? event.publishedAtMs() : event.occurredAtMs(),
          Long.MAX_VALUE);
    }

    /**
     * Returns the latest time that counts as the event's own time in the judgement: for a very late
     * event this is the partition's clock less the permitted lateness, which is not after the time
     * of publishing.
     */
    private long latestMs(Kept input) {
      Described event = input.event();
      return event.isOdd() ? event.publishedAtMs() : event.occurredAtMs();
    }

    private boolean repeats() {
      return history.modes().duplicates() == Modes.Duplicates.REPEAT;
    }

    private boolean hasMoved(Kept input) {
      return history.endsOf(input).stream().anyMatch(end -> isCharged(limit, end));
    }

    /**
     * Whether the event moved the clock of its key, or may have done so before it ended
     * differently.
     */
    private boolean mayHaveMoved(Kept input) {
      return hasMoved(input)
          || input.event().kind() == Described.Kind.EITHER
          || history.endsAsDeadLetter(input)
          || history.endsOf(input).isEmpty();
    }
  }

  private static boolean isCharged(Limit limit, Kept end) {
    if (limit.inRedis() && end.isWithoutRedis()) return false;
    return switch (end.header(Verdicts.VERDICT)) {
      case "allowed" -> true;
      case "rejected" -> limit.countsTries() && end.header(Verdicts.REASON).equals("over-limit");
      default -> false;
    };
  }

  /**
   * Returns the time by which an event was judged, as the header of a shadow limit in its output
   * shows; empty if there is no such header.
   */
  Optional<Long> told(Limit limit, Kept output) {
    for (Header header : output.record().headers().headers(Verdicts.SHADOW)) {
      Matcher told = TOLD.matcher(new String(header.value(), UTF_8));
      if (!told.matches() || !told.group(1).equals(limit.clock())) continue;
      // The reset-after of the shadow limit, a sliding window counter, is the time until the end of
      // the period after the current one.
      return Optional.of(nearest(-Long.parseLong(told.group(3)), aboutMs(limit, output)));
    }
    return Optional.empty();
  }

  /**
   * Whether Redis has recognized an event that it had charged in an attempt before: then the shadow
   * limit shows the same remaining permits for another charged event, although each uses some.
   */
  boolean isRecognized(Limit limit, Kept output) {
    return limit.inRedis() && remaining(limit, output).filter(seenAgain::contains).isPresent();
  }

  /** Returns the remaining permits of a key that the shadow limit shows, with the key. */
  private static Optional<String> remaining(Limit limit, Kept output) {
    for (Header header : output.record().headers().headers(Verdicts.SHADOW)) {
      Matcher told = TOLD.matcher(new String(header.value(), UTF_8));
      if (told.matches() && told.group(1).equals(limit.clock()))
        return Optional.of(limit.clock() + " " + limit.keyOf(output.event()) + " " + told.group(2));
    }
    return Optional.empty();
  }

  private long aboutMs(Limit limit, Kept output) {
    long latelyMs = output.event().publishedAtMs() - Modes.LATENESS_MS;
    return Math.max(implied(limit, output).fromMs(), latelyMs);
  }

  /**
   * Returns, of all times with a given distance to the end of a period of the shadow limit, the
   * time nearest to {@code toMs}.
   */
  private static long nearest(long afterFullMs, long toMs) {
    long aheadMs = Math.floorMod(afterFullMs - toMs, Limits.CLOCK_PERIOD_MS);
    return toMs
        + (aheadMs <= Limits.CLOCK_PERIOD_MS / 2 ? aheadMs : aheadMs - Limits.CLOCK_PERIOD_MS);
  }
}
