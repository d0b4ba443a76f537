package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.scenario.FaultKind;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Causes faults of the input: a failing schema registry, wrong clocks of users, and records that
 * are invalid or very large.
 */
final class InputFaults {
  private static final int SHORTEST_FAILING_MS = 1_000;
  private static final int MOST_FAILING_MS = 6_000;
  private static final int MOST_LARGE = 4;
  private static final int MOST_BACK_MS = 30_000;
  private static final int MOST_AHEAD_MS = 4_000;
  private static final int SHORTEST_STEP_MS = 300;
  private static final int LONGEST_STEP_MS = 3_000;
  private static final int MOST_POISON = 50;

  private final Scene scene;
  private final SplittableRandom random;

  InputFaults(Scene scene, SplittableRandom random) {
    this.scene = scene;
    this.random = random;
  }

  Map<FaultKind, Fault> all() {
    return Map.of(
        FaultKind.FAIL_REGISTRY, this::failRegistry,
        FaultKind.STEP_CLOCK, this::stepClock,
        FaultKind.POISON, this::poison,
        FaultKind.LARGE, this::large);
  }

  private boolean failRegistry() throws InterruptedException {
    int failingMs = random.nextInt(SHORTEST_FAILING_MS, MOST_FAILING_MS);
    int failures = scene.bed().registry().failures();
    scene.diary().note("the schema registry fails for " + failingMs + " ms");
    scene.bed().registry().fail(true);
    scene.publisher().poison(MOST_POISON); // some name unknown schemas, so instances ask
    Waiting.pass(failingMs);
    scene.bed().registry().fail(false);
    return scene.bed().registry().failures() > failures;
  }

  private boolean stepClock() throws InterruptedException {
    int stepMs = random.nextInt(MOST_BACK_MS + MOST_AHEAD_MS) - MOST_BACK_MS;
    int forMs = random.nextInt(SHORTEST_STEP_MS, LONGEST_STEP_MS);
    scene.diary().note("step the clock of all users by " + stepMs + " ms for " + forMs + " ms");
    scene.publisher().stepClock(stepMs);
    Waiting.pass(forMs);
    scene.publisher().stepClock(0);
    return true;
  }

  private boolean poison() {
    int count = 1 + random.nextInt(MOST_POISON);
    scene.diary().note("publish " + count + " records that are no events");
    scene.publisher().poison(count);
    return true;
  }

  private boolean large() {
    int count = 1 + random.nextInt(MOST_LARGE);
    scene.diary().note("publish " + count + " events near the size that a topic takes, or above");
    scene.publisher().large(count);
    return true;
  }
}
