package io.sluice.bench.throughput;

import io.sluice.bench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Samples of all variants in all rounds; the variants are in the order of the table. */
final class Results {
  private final Map<String, Variant> variants = new LinkedHashMap<>();
  private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

  Results(List<Variant> variants) {
    for (Variant each : variants) {
      this.variants.put(each.name(), each);
      samples.put(each.name(), new ArrayList<>());
    }
  }

  void add(Variant variant, Sample sample) {
    samples.get(variant.name()).add(sample);
  }

  List<Variant> variants() {
    return List.copyOf(variants.values());
  }

  List<String> names() {
    return List.copyOf(variants.keySet());
  }

  /** Whether both variants were measured. */
  boolean have(String name, String other) {
    return variants.containsKey(name) && variants.containsKey(other);
  }

  /** Returns the name of the pass-through variant with which a variant is compared. */
  String basis(String name) {
    return variants.get(name).basis();
  }

  List<Sample> samples(String name) {
    return List.copyOf(samples.get(name));
  }

  /**
   * Returns how many bytes of garbage an event makes beyond the garbage of an event in the
   * variant's pass-through, by the medians.
   */
  double garbageBeyond(String name) {
    return of(name, Sample::garbagePerEvent).median()
        - of(basis(name), Sample::garbagePerEvent).median();
  }

  Spread of(String name, ToDoubleFunction<Sample> figure) {
    return Spread.of(samples.get(name).stream().map(figure::applyAsDouble).toList());
  }

  /**
   * Returns the spread, over all rounds, of a variant's speed as a share of its pass-through's
   * speed.
   */
  Spread ofPassThrough(String name) {
    return ratio(name, basis(name));
  }

  /**
   * Returns the spread, over all rounds, of a variant's speed relative to another variant's speed
   * in the same round, so that effects that slow down a whole round cancel out.
   */
  Spread ratio(String name, String to) {
    return ratio(name, to, Sample::perSecond);
  }

  /**
   * Returns the spread, over all rounds, of the CPU time of an event in another variant, in all
   * processes, relative to that in this variant: how many times more events the same cores process.
   */
  Spread ratioByCpu(String name, String to) {
    return ratio(to, name, Sample::allMicrosPerEvent);
  }

  private Spread ratio(String name, String to, ToDoubleFunction<Sample> figure) {
    List<Sample> mine = samples.get(name);
    List<Sample> theirs = samples.get(to);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < mine.size(); i++) {
      ratios.add(figure.applyAsDouble(mine.get(i)) / figure.applyAsDouble(theirs.get(i)));
    }
    return Spread.of(ratios);
  }
}
