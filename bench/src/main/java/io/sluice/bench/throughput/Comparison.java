package io.sluice.bench.throughput;

import io.sluice.limiter.Algorithm;
import java.util.List;

/**
 * Pair of variants for the table that shows how many times faster the first variant is than the
 * second.
 */
record Comparison(String name, String to) {
  private static final String MEMORY = Variants.fewName("memory", Algorithm.GCRA);
  private static final String FUNNEL = Variants.REDIS_FUNNEL;
  private static final String LOG = Variants.REDIS_LOG;
  private static final String WINDOWED = Variants.WINDOWED_COUNT;
  private static final String BUCKET4J = Variants.BUCKET4J;

  static final List<Comparison> ALL =
      List.of(
          new Comparison(Variants.ASKED, MEMORY),
          new Comparison(FUNNEL, "Redis, funnel, one call an event"),
          new Comparison(LOG, "Redis, log, one call an event"),
          new Comparison(FUNNEL, BUCKET4J),
          new Comparison(LOG, BUCKET4J),
          new Comparison(MEMORY, WINDOWED),
          new Comparison(FUNNEL, WINDOWED),
          new Comparison(LOG, WINDOWED));
}
