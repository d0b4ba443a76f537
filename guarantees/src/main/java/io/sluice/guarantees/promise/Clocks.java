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

/** The instant at which each event was judged: as the outputs say, and as the inputs imply. */
final class Clocks {
  private static final Pattern TOLD = Pattern.compile("limit=([^;]+);.*reset-after-ms=(\\d+)");
  private static final Between UNKNOWN = new Between(0, Long.MAX_VALUE);

  /** The instants between which an event was judged. */
  record Between(long fromMs, long toMs) {}

  private final History history;
  private final Map<String, Map<Long, Between>> impliedBy = new HashMap<>();

  Clocks(History history) {
    this.history = history;
    for (Limit limit : history.limits().all()) impliedBy.put(limit.name(), implied(limit));
  }

  /**
   * What the inputs imply: an event is judged at its own time, or at the latest time of those of
   * its key that were charged before it, if that is later. Times of other keys do not count. Where
   * an event was set aside until Redis was back, those behind it came before it.
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

  /** The events of one key of a limit, as they came. */
  private final class OneKey {
    private final Limit limit;
    private final Map<String, List<Kept>> byWay;

    OneKey(Limit limit, List<Kept> inputs) {
      this.limit = limit;
      byWay = inputs.stream().collect(Collectors.groupingBy(OneKey::way));
    }

    /** Those that share one have an order: users who share a key may have homes of their own. */
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

    /** Whether nothing else than what is seen here can move the clock. */
    private boolean isAlone() {
      return byWay.size() == 1 && isAlwaysAsked();
    }

    /**
     * Else an event may have done without Redis at first, and in a second try, when the first was
     * undone, be judged there after events that came later.
     */
    private boolean isAlwaysAsked() {
      return !limit.inRedis() || history.modes().withoutRedis() == Modes.WithoutRedis.WAIT;
    }

    /**
     * Whether the order in which these events were judged is that in which they came, once each.
     */
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

    /** What is very late is judged by the clock of its partition, less what is allowed for. */
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

    /** Whether it was charged, or may have been before it ended as something else. */
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

  /** By which instant an event was judged, if that is told. */
  Optional<Long> told(Limit limit, Kept output) {
    for (Header header : output.record().headers().headers(Verdicts.SHADOW)) {
      Matcher told = TOLD.matcher(new String(header.value(), UTF_8));
      if (!told.matches() || !told.group(1).equals(limit.clock())) continue;
      // The clock is as good as new when the period after the running one ends.
      return Optional.of(nearest(-Long.parseLong(told.group(2)), aboutMs(limit, output)));
    }
    return Optional.empty();
  }

  private long aboutMs(Limit limit, Kept output) {
    long latelyMs = output.event().publishedAtMs() - Modes.LATENESS_MS;
    return Math.max(implied(limit, output).fromMs(), latelyMs);
  }

  /** Of all instants that far from the end of a period of the clock, the one nearest to another. */
  private static long nearest(long afterFullMs, long toMs) {
    long aheadMs = Math.floorMod(afterFullMs - toMs, Limits.CLOCK_PERIOD_MS);
    return toMs
        + (aheadMs <= Limits.CLOCK_PERIOD_MS / 2 ? aheadMs : aheadMs - Limits.CLOCK_PERIOD_MS);
  }
}
