package io.sluice.bench;

import java.util.List;

/** Two variants of which somebody asks how many times faster the first is. */
record Comparison(String name, String to) {
  private static final String MEMORY = "state store, memory, funnel, 10k keys";
  private static final String FUNNEL = "Redis, funnel, prefetched";
  private static final String LOG = "Redis, log, prefetched";
  private static final String WINDOWED = "DSL windowed count, joined";
  private static final String BUCKET4J = "Bucket4j on Redis";

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
