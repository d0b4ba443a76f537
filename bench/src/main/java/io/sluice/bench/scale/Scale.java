package io.sluice.bench.scale;

import io.sluice.bench.input.Input;
import io.sluice.bench.input.Kind;
import io.sluice.bench.input.Workload;
import io.sluice.bench.lab.Laboratory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs Sluice with an increasing number of keys, then of delayed events, and then of lines in which
 * events wait.
 */
public final class Scale {
  private final Laboratory laboratory;
  private final ScalePlan plan;
  private final Heap heap;
  private final List<String> leftOut = new ArrayList<>();
  private final Map<String, Double> bytesOfKey = new HashMap<>();
  private final Map<String, Double> bytesOfDelayed = new HashMap<>();
  private final Map<String, Double> bytesOfLine = new HashMap<>();

  /**
   * Figures of all runs.
   *
   * @param leftOut one line for each run that was skipped for lack of memory
   */
  public record Results(
      List<KeyPoint> keys, List<DelayPoint> delays, List<QueuePoint> lines, List<String> leftOut) {}

  public Scale(Laboratory laboratory, ScalePlan plan) {
    this.laboratory = laboratory;
    this.plan = plan;
    heap = new Heap(laboratory);
  }

  public Results run() throws Exception {
    if (plan.warmsUp()) meter(plan.keys().get(0) / 2);
    heap.warmedUp();
    leftOut.clear();
    List<KeyPoint> keys = new ArrayList<>();
    for (int each : plan.keys()) keys.addAll(meter(each));
    if (plan.warmsUp()) delay(plan.waiting().get(0) / 2);
    List<DelayPoint> delays = new ArrayList<>();
    for (int each : plan.waiting()) delays.addAll(delay(each));
    if (plan.warmsUp()) queue(plan.lines().get(0) / 2);
    List<QueuePoint> lines = new ArrayList<>();
    for (int each : plan.lines()) lines.addAll(queue(each));
    return new Results(keys, delays, lines, List.copyOf(leftOut));
  }

  /*
   * An application meters one event of each key, and ends. It starts again without local state and
   * without new input: the heap and disk space that it then uses are those of the keys. It starts a
   * third time without local state, after more events of these keys were published: until the first
   * output it restores the keys, and from then on it meters events of known keys.
   */
  private List<KeyPoint> meter(int keys) throws Exception {
    Input input = new Input(Kind.DENSE, keys);
    List<KeyRun> runs = new ArrayList<>();
    for (String store : plan.stores()) {
      String run = "%,d keys, %s".formatted(keys, store);
      if (hasRoom(run, bytesOfKey.getOrDefault(store, 0.0) * keys)) {
        runs.add(new KeyRun(laboratory, heap, store, input));
      }
    }
    if (runs.isEmpty()) return List.of();
    laboratory.say("publishing %,d events", keys);
    laboratory.publish(new Workload(input, keys));
    for (KeyRun each : runs) each.fill();
    for (KeyRun each : runs) each.weigh();
    laboratory.publish(new Workload(input, plan.events()), keys);
    List<KeyPoint> points = new ArrayList<>();
    for (KeyRun each : runs) points.add(each.measure(plan.events()));
    for (KeyPoint each : points) bytesOfKey.put(each.store(), each.heapBytesEach());
    laboratory.deleteTopic(input.topic());
    return points;
  }

  private List<DelayPoint> delay(int waiting) throws Exception {
    List<DelayPoint> points = new ArrayList<>();
    for (String store : plan.stores()) {
      String what = "%,d delayed events, %s".formatted(waiting, store);
      if (!hasRoom(what, bytesOfDelayed.getOrDefault(store, 0.0) * waiting)) continue;
      DelayRun run = new DelayRun(laboratory, heap, store, waiting);
      run.fill();
      DelayPoint point = run.measure(plan.released());
      bytesOfDelayed.put(store, point.heapBytesEach());
      points.add(point);
    }
    return points;
  }

  private List<QueuePoint> queue(int lines) throws Exception {
    List<QueuePoint> points = new ArrayList<>();
    for (String store : plan.stores()) {
      String what = "%,d lines, %s".formatted(lines, store);
      if (!hasRoom(what, bytesOfLine.getOrDefault(store, 0.0) * lines)) continue;
      QueueRun run = new QueueRun(laboratory, heap, store, lines);
      run.fill();
      QueuePoint point = run.measure();
      bytesOfLine.put(store, point.heapBytesEach());
      points.add(point);
    }
    return points;
  }

  /** Whether the heap has room for this many bytes; if not, records a run as skipped. */
  private boolean hasRoom(String run, double bytes) {
    Optional<String> shortage = Heap.shortage(run, bytes);
    shortage.ifPresent(leftOut::add);
    shortage.ifPresent(laboratory::say);
    return shortage.isEmpty();
  }
}
