package io.sluice.bench.throughput;

import io.sluice.bench.input.Input;
import io.sluice.bench.input.Workload;
import io.sluice.bench.lab.Laboratory;
import io.sluice.bench.run.Workplace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Runs all variants in each round, in random order, so that disturbances of the machine affect all
 * variants alike.
 */
public final class Throughput {
  /**
   * Sizes of a throughput run.
   *
   * @param warmUps number of rounds that do not count, for the JIT compiler
   */
  public record Plan(int rounds, int warmUps, long events) {}

  private final Laboratory laboratory;
  private final Plan plan;
  private final List<Variant> variants;
  private final Map<Input, Workload> workloads = new LinkedHashMap<>();
  private int done;

  /**
   * @param only pattern that selects the variants in whose names it is found, and their
   *     pass-throughs
   */
  public Throughput(Laboratory laboratory, Plan plan, Pattern only) {
    this(laboratory, plan, Variants.all(plan.events(), only));
  }

  /** Creates a run of the few variants that matter most. */
  public static Throughput ofHeadline(Laboratory laboratory, Plan plan) {
    return new Throughput(laboratory, plan, Variants.headline());
  }

  Throughput(Laboratory laboratory, Plan plan, List<Variant> variants) {
    this.laboratory = laboratory;
    this.plan = plan;
    this.variants = variants;
  }

  /**
   * Runs all rounds.
   *
   * @param facts facts about the machine, for the report
   */
  public ThroughputReport run(Map<String, String> facts) throws Exception {
    return new ThroughputReport(facts, run(), Wanted.all());
  }

  Results run() throws Exception {
    for (Variant each : variants) {
      workloads.computeIfAbsent(each.input(), input -> new Workload(input, plan.events()));
    }
    for (Workload each : workloads.values()) {
      laboratory.say("publishing %,d events: %s", each.events(), each.input());
      laboratory.publish(each);
    }
    Results results = new Results(variants);
    for (int round = 1 - plan.warmUps(); round <= plan.rounds(); round++) {
      List<Variant> shuffled = new ArrayList<>(variants);
      Collections.shuffle(shuffled, new Random(round));
      for (Variant each : shuffled) {
        Sample sample = round(each, round);
        if (round > 0) results.add(each, sample);
      }
    }
    return results;
  }

  private Sample round(Variant variant, int number) throws Exception {
    String id = "round" + (number + plan.warmUps()) + "-variant" + variants.indexOf(variant);
    Workload workload = workloads.get(variant.input());
    Workplace workplace = Workplace.of(laboratory, id, workload.topic());
    if (variant.onCluster()) {
      workplace = workplace.with("sluice.redis.uri", laboratory.redis().uri(true));
    }
    Sample sample = new Round(variant, workload, workplace).run();
    String title = number > 0 ? "round " + number + "/" + plan.rounds() : "warming up";
    int runs = variants.size() * (plan.warmUps() + plan.rounds());
    laboratory.say(
        "%3d %%  %-10s  %-52s %,9.0f/s  %6.2f us of CPU in all processes",
        ++done * 100 / runs, title, variant.name(), sample.perSecond(), sample.allMicrosPerEvent());
    return sample;
  }
}
