package io.sluice.rules.revision;

/** Shares equal timelines and equal treatments among the overrides of a limit. For many threads. */
record TreatmentInterner(
    BoundedCache<Timeline.Content, Timeline> timelines,
    BoundedCache<SharedTreatment, SharedTreatment> treatments) {
  private static final int MOST = 10_000;

  TreatmentInterner() {
    this(new BoundedCache<>(MOST), new BoundedCache<>(MOST));
  }

  Timeline same(Timeline timeline) {
    return timelines.get(timeline.content(), content -> timeline);
  }

  SharedTreatment same(SharedTreatment treatment) {
    return treatments.get(treatment, same -> same);
  }
}
