package io.sluice.bench.scale;

import io.sluice.bench.input.Input;
import io.sluice.bench.input.Kind;
import io.sluice.bench.input.Workload;
import io.sluice.bench.lab.Laboratory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs Sluice, with GCRA on the state store, with an increasing number of keys. */
final class KeyScale {
  /*
   * An application meters one event of each key, and ends. It starts again without local state and
   * without new input: the heap and disk space that it then uses are those of the keys. It starts a
   * third time without local state, after more events of these keys were published: until the first
   * output it restores the keys, and from then on it meters events of known keys.
   */
  private final ScaleBed bed;
  private final Laboratory laboratory;
  private final ScalePlan plan;
  private final Map<String, Double> heapBytesEach = new HashMap<>();

  KeyScale(ScaleBed bed) {
    this.bed = bed;
    laboratory = bed.laboratory();
    plan = bed.plan();
  }

  List<KeyPoint> run() throws Exception {
    if (plan.warmsUp()) step(plan.keys().get(0) / 2);
    bed.warmedUp();
    List<KeyPoint> points = new ArrayList<>();
    for (int keys : plan.keys()) points.addAll(step(keys));
    return points;
  }

  private List<KeyPoint> step(int keys) throws Exception {
    Input input = new Input(Kind.DENSE, keys);
    Map<String, KeyRun> runs = new LinkedHashMap<>();
    for (String store : plan.stores()) {
      String what = "%,d keys, %s".formatted(keys, store);
      if (bed.hasRoom(what, heapBytesEach.getOrDefault(store, 0.0) * keys)) {
        runs.put(store, new KeyRun(bed, store, input));
      }
    }
    if (runs.isEmpty()) return List.of();
    bed.say("publishing %,d events", keys);
    laboratory.publish(new Workload(input, keys));
    for (KeyRun each : runs.values()) each.fill();
    for (KeyRun each : runs.values()) each.weigh();
    laboratory.publish(new Workload(input, plan.events()), keys);
    List<KeyPoint> points = new ArrayList<>();
    for (KeyRun each : runs.values()) points.add(each.measure(plan.events()));
    for (KeyPoint each : points) heapBytesEach.put(each.store(), each.heapBytesEach());
    laboratory.deleteTopic(input.topic());
    return points;
  }
}
