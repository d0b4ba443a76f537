package io.sluice.limiter;

import io.sluice.limiter.Scenarios.Limit;
import io.sluice.limiter.Scenarios.Step;
import io.sluice.rooms.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The combinations of {@link Scenarios} under limits that are changed all the time, with what the
 * definitions say. In every fourth round changes may come late.
 */
public final class ChangingScenarios {
  /**
   * A round's steps.
   *
   * @param late whether some changes came when buckets had been charged by other numbers already
   */
  public record Round(List<Step> steps, List<Revisions> revisions, boolean late) {
    /** A step under all the changes that there have been by the end, of which it knew some. */
    public Step inHindsight(Step step) {
      List<Bucket> buckets = new ArrayList<>();
      for (int i = 0; i < revisions.size(); i++) {
        Bucket was = step.buckets().get(i);
        buckets.add(new Bucket(revisions.get(i).rule(), was.key(), was.tag(), was.value()));
      }
      return new Step(step.arrival(), buckets, step.expected());
    }
  }

  private ChangingScenarios() {}

  /** Lists of limits, each with a seed. */
  public static Stream<Arguments> all() {
    return Scenarios.all();
  }

  /** The rounds of a scenario, made one at a time: each has rules and keys of its own. */
  public static Stream<Round> rounds(List<Limit> limits, long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    return Scenarios.rounds()
        .mapToObj(
            round -> {
              boolean late = round % 4 == 3;
              List<Revisions> revisions = new ArrayList<>();
              for (Limit limit : limits) {
                String name = "changing-" + round + "-" + revisions.size();
                Rule rule = Scenarios.rule(name, limit, random);
                revisions.add(new Revisions(rule, limit, late, random.nextLong()));
              }
              return new Round(
                  steps(revisions, random.split(), Scenarios.events(round)), revisions, late);
            });
  }

  private static List<Step> steps(List<Revisions> revisions, SplittableRandom random, int events) {
    List<Quota> quotas = new ArrayList<>();
    for (Revisions each : revisions) quotas.add(each.rule().quota());
    Traffic traffic = new Traffic(random.nextLong(), 4, quotas, true, true);
    Oracle oracle = new Oracle();
    List<Step> steps = new ArrayList<>(events);
    long latest = 0;
    for (int i = 0; i < events; i++) {
      Traffic.Event event = traffic.next();
      latest = Math.max(latest, event.arrival().nowMicros());
      List<Rule> rules = revisions.stream().map(Revisions::rule).toList();
      List<List<Change>> changes = revisions.stream().map(Revisions::changes).toList();
      List<Bucket> buckets = Scenarios.buckets(rules, event);
      Outcome expected = oracle.meter(event.arrival(), buckets, changes);
      steps.add(new Step(event.arrival(), buckets, expected));
      Scenarios.hint(traffic, expected);
      if (random.nextInt(TestScale.isFull() ? 40 : 20) > 0) continue;
      int which = random.nextInt(revisions.size());
      quotas.set(which, revisions.get(which).revise(latest));
      revisions.get(which).hint(traffic);
    }
    return steps;
  }
}
