package io.sluice.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The samples of each variant, in the order of the table. */
final class Results {
  private final Map<String, List<Sample>> samples = new LinkedHashMap<>();

  Results(List<Variant> variants) {
    for (Variant each : variants) samples.put(each.name(), new ArrayList<>());
  }

  void add(Variant variant, Sample sample) {
    samples.get(variant.name()).add(sample);
  }

  List<String> names() {
    return List.copyOf(samples.keySet());
  }

  List<Sample> samples(String name) {
    return List.copyOf(samples.get(name));
  }

  Spread perSecond(String name) {
    return Spread.of(samples.get(name).stream().map(Sample::perSecond).toList());
  }

  Spread cpuMicrosPerEvent(String name) {
    return Spread.of(samples.get(name).stream().map(Sample::cpuMicrosPerEvent).toList());
  }

  /**
   * Each round's speed as a share of what another variant did in the same round, so that what slows
   * a whole round down falls out.
   */
  Spread ratio(String name, String to) {
    List<Sample> mine = samples.get(name);
    List<Sample> theirs = samples.get(to);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < mine.size(); i++) {
      ratios.add(mine.get(i).perSecond() / theirs.get(i).perSecond());
    }
    return Spread.of(ratios);
  }
}
