package io.sluice.guarantees;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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
   * The clock of the partition when it judged an event that a limit has charged, if that is told.
   */
  OptionalLong judgedAtMs(Kept output) {
    for (Header header : output.record().headers().headers(Verdicts.SHADOW)) {
      Matcher reset = RESET.matcher(new String(header.value(), UTF_8));
      if (!reset.matches()) continue;
      return OptionalLong.of(nearest(-Long.parseLong(reset.group(1)), earliestMs(output)));
    }
    return OptionalLong.empty();
  }

  /** Of all instants that far from the end of a period of the clock, the one nearest to another. */
  private static long nearest(long afterFullMs, long toMs) {
    long aheadMs = Math.floorMod(afterFullMs - toMs, Limits.CLOCK_PERIOD_MS);
    return toMs
        + (aheadMs <= Limits.CLOCK_PERIOD_MS / 2 ? aheadMs : aheadMs - Limits.CLOCK_PERIOD_MS);
  }
}
