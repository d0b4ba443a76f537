package io.sluice.limiter;

import io.sluice.limiter.Scenarios.Limit;
import io.sluice.limiter.Scenarios.Releases;
import io.sluice.limiter.Scenarios.Step;
import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * Combinations of {@link Scenarios} under limits that change all the time, with the outcomes that
 * the definitions require. In every fourth round, changes can come late.
 */
public final class ChangingScenarios {
  /**
   * Steps of a round.
   *
   * @param late whether some changes came after buckets had been charged by other numbers
   */
  public record Round(List<Step> steps, List<Revisions> revisions, boolean late) {
    /**
     * Returns a step with all changes of the round; the step itself has those known at its time.
     */
    public Step inHindsight(Step step) {
      List<Bucket> buckets = new ArrayList<>();
      for (int i = 0; i < revisions.size(); i++) {
        Bucket was = step.buckets().get(i);
        buckets.add(
            new Bucket(revisions.get(i).rule(), was.key(), was.tag(), was.value(), was.more()));
      }
      return new Step(step.arrival(), buckets, step.expected());
    }
  }

  private ChangingScenarios() {}

  /** Returns lists of limits, each with a seed. */
  public static Stream<Arguments> all() {
    return Scenarios.all();
  }

  /** Returns the rounds of a scenario, created one at a time; each has its own rules and keys. */
  public static Stream<Round> rounds(List<Limit> limits, long seed) {
    SplittableRandom random = new SplittableRandom(~seed);
    return Scenarios.rounds()
        .mapToObj(
            round -> {
              boolean late = round % 4 == 3;
              List<Revisions> revisions = new ArrayList<>();
              for (Rule rule : Scenarios.rules("changing-" + round, limits, random)) {
                Limit limit = limits.get(revisions.size());
                revisions.add(new Revisions(rule, limit, late, random.nextLong()));
              }
              return new Round(steps(revisions, random.split(), round), revisions, late);
            });
  }

  private static List<Step> steps(List<Revisions> revisions, SplittableRandom random, int round) {
    int events = Scenarios.events(round);
    List<Quota> quotas = new ArrayList<>();
    for (Revisions each : revisions) quotas.add(each.rule().quota());
    long seed = random.nextLong();
    Traffic traffic = new Traffic(seed, 4, quotas, true, true);
    Releases releases = Releases.of(round, seed);
    Oracle oracle = new Oracle();
    List<Step> steps = new ArrayList<>(events);
    long latest = 0;
    for (int i = 0; i < events; i++) {
      Traffic.Event event = traffic.next();
      latest = Math.max(latest, event.arrival().nowMicros());
      List<Rule> rules = revisions.stream().map(Revisions::rule).toList();
      List<List<Change>> changes = revisions.stream().map(Revisions::changes).toList();
      List<Bucket> buckets = Scenarios.buckets(rules, event);
      Arrival arrival = releases.of(event.arrival(), quotas);
      Outcome expected = oracle.meter(arrival, buckets, changes);
      steps.add(new Step(arrival, buckets, expected));
      Scenarios.hint(traffic, expected);
      if (random.nextInt(TestScale.isFull() ? 40 : 20) > 0) continue;
      int which = random.nextInt(revisions.size());
      quotas.set(which, revisions.get(which).revise(latest));
      revisions.get(which).hint(traffic);
    }
    return steps;
  }
}
