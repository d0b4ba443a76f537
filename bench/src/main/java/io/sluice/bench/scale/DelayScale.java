package io.sluice.bench.scale;

import io.sluice.bench.apps.SluiceApplication;
import io.sluice.rules.event.Keys;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs an application with an increasing number of delayed events. */
final class DelayScale {
  private final ScaleBed bed;
  private final ScalePlan plan;
  private final Map<String, Double> heapBytesEach = new HashMap<>();

  DelayScale(ScaleBed bed) {
    this.bed = bed;
    plan = bed.plan();
  }

  List<DelayPoint> run() throws Exception {
    if (plan.warmsUp()) step(plan.waiting().get(0) / 2);
    List<DelayPoint> points = new ArrayList<>();
    for (int waiting : plan.waiting()) points.addAll(step(waiting));
    return points;
  }

  /**
   * Creates the application. Its limit is on Redis, without rows in the state store, so that only
   * the shaper (the processor that releases delayed events) has punctuations. Averages of metrics
   * cover the last 5 seconds.
   */
  private static SluiceApplication application(String store) {
    Map<String, String> limit = Map.of("backend", "redis", "exceeded", "delay");
    Map<String, String> general =
        Map.of(Keys.STATE_STORE, store, "metrics.sample.window.ms", "5000");
    return new SluiceApplication(limit, general, false);
  }

  private List<DelayPoint> step(int waiting) throws Exception {
    List<DelayPoint> points = new ArrayList<>();
    for (String store : plan.stores()) {
      String what = "%,d delayed events, %s".formatted(waiting, store);
      double bytes = heapBytesEach.getOrDefault(store, 0.0) * waiting;
      if (!bed.hasRoom(what, bytes)) continue;
      DelayRun run = new DelayRun(bed, application(store), store, waiting);
      run.fill();
      DelayPoint point = run.measure(plan.released());
      heapBytesEach.put(store, point.heapBytesEach());
      points.add(point);
    }
    return points;
  }
}
