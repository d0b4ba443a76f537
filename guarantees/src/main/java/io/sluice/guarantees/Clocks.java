package io.sluice.guarantees;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.header.Header;

/** By which instant each event was judged: what the outputs say, and what the inputs imply. */
final class Clocks {
  private static final Pattern RESET =
      Pattern.compile(
          "limit=(?:%s|%s);.*reset-after-ms=(\\d+)"
              .formatted(Limits.STORED_CLOCK, Limits.REDIS_CLOCK));

  private final Map<Long, Long> seenMs = new HashMap<>();

  Clocks(List<Kept> inputs) {
    Map<String, Long> clocksMs = new HashMap<>();
    for (Kept input : inputs) {
      if (input.event().poison()) continue; // says nothing of time
      String partition = input.topic() + "-" + input.partition();
      long clockMs = clocksMs.merge(partition, input.event().occurredAtMs(), Math::max);
      seenMs.put(input.number(), input.event().atHome() ? clockMs : input.event().occurredAtMs());
    }
  }

  /**
   * The earliest instant by which an event can have been judged: the largest time in its partition
   * up to it; its own, if it was judged in another.
   */
  long earliestMs(Kept output) {
    return seenMs.getOrDefault(output.number(), 0L);
  }

  /**
   * What an output tells of when it was judged.
   *
   * @param partitionMs the clock of the partition, from which the verdict's distances are counted
   * @param byMs the clock it was judged by: the key's, where others had moved that further
   */
  record Judged(long partitionMs, long byMs) {}

  /** When an event was judged that a limit has charged, if that is told. */
  Optional<Judged> judged(Kept output) {
    for (Header header : output.record().headers().headers(Verdicts.SHADOW)) {
      Matcher reset = RESET.matcher(new String(header.value(), UTF_8));
      if (!reset.matches()) continue;
      long resetMs = Long.parseLong(reset.group(1));
      long partitionMs = nearest(-resetMs, earliestMs(output));
      // The clock is as good as new when the period after the running one ends, which began then:
      long begunMs = partitionMs + resetMs - 2 * Limits.CLOCK_PERIOD_MS;
      return Optional.of(new Judged(partitionMs, Math.max(partitionMs, begunMs)));
    }
    return Optional.empty();
  }

  /** Of all instants that far from the end of a period of the clock, the one nearest to another. */
  private static long nearest(long afterFullMs, long toMs) {
    long aheadMs = Math.floorMod(afterFullMs - toMs, Limits.CLOCK_PERIOD_MS);
    return toMs
        + (aheadMs <= Limits.CLOCK_PERIOD_MS / 2 ? aheadMs : aheadMs - Limits.CLOCK_PERIOD_MS);
  }
}
