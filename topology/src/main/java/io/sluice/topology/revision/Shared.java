package io.sluice.topology.revision;

/** Shares equal timelines and treatments of a limit's overrides. For many threads. */
record Shared(
    Forgetful<Timeline.Content, Timeline> timelines, Forgetful<Holding, Holding> holdings) {
  private static final int MOST = 10_000;

  Shared() {
    this(new Forgetful<>(MOST), new Forgetful<>(MOST));
  }

  Timeline same(Timeline timeline) {
    return timelines.get(timeline.content(), content -> timeline);
  }

  Holding same(Holding holding) {
    return holdings.get(holding, same -> same);
  }
}
