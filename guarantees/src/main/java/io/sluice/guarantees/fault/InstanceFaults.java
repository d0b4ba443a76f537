package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Instance;
import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.ForgottenRevision;
import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Revision;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Faults of instances: death, a freeze that others take for death, and company. */
final class InstanceFaults {
  private static final int MOST_DEAD_MS = 4_000;

  /**
   * Longer than a session, a transaction, and what the clients wait for if that is short: the
   * others take over, and it wakes up as one who was given up.
   */
  private static final int LONGEST_FREEZE_MS = 18_000;

  private static final int SHORTEST_FREEZE_MS = 300;

  /** As far ahead as revisions are planned, so that one holds by then that it has not read. */
  private static final int SHORTEST_NAP_MS = 2_500;

  /** Shorter than a session less a heartbeat. */
  private static final int LONGEST_NAP_MS = 4_400;

  private static final int PATIENT_USERS = 4;

  /** As long as it takes until a retry is due. */
  private static final int UNTIL_RETRIED_MS = 1_500;

  /** By then every instance has read a revision. */
  private static final int UNTIL_READ_MS = 1_500;

  private static final Duration MOST_REMEMBERED = Duration.ofSeconds(60);

  private final Scene scene;
  private final SplittableRandom random;
  private int slept;
  private int backlogs;

  InstanceFaults(Scene scene, SplittableRandom random) {
    this.scene = scene;
    this.random = random;
  }

  Map<FaultKind, Fault> all() {
    return Map.of(
        FaultKind.KILL, this::kill,
        FaultKind.KILL_ALL, this::killAll,
        FaultKind.FREEZE, this::freeze,
        FaultKind.NAP, this::nap,
        FaultKind.MOVE_ON, this::moveOn,
        FaultKind.BACKLOG, this::backlog,
        FaultKind.SUSPEND, this::suspend);
  }

  private Instance any(List<Instance> instances) {
    return instances.get(random.nextInt(instances.size()));
  }

  private boolean kill() throws InterruptedException {
    Instance one = any(scene.bed().running());
    int deadMs = random.nextInt(MOST_DEAD_MS);
    scene.diary().note("kill " + one + ", start it after " + deadMs + " ms");
    one.kill();
    Waiting.pass(deadMs);
    one.start();
    return true;
  }

  private boolean killAll() {
    List<Instance> all = scene.bed().running();
    scene.diary().note("kill " + all + ", start them");
    all.forEach(Instance::kill);
    all.forEach(Instance::start);
    return true;
  }

  private boolean freeze() throws InterruptedException {
    return freeze(SHORTEST_FREEZE_MS + random.nextInt(LONGEST_FREEZE_MS - SHORTEST_FREEZE_MS));
  }

  /** A freeze that nobody takes for death: it goes on with what it had, and limits have changed. */
  private boolean nap() throws InterruptedException {
    return freeze(SHORTEST_NAP_MS + random.nextInt(LONGEST_NAP_MS - SHORTEST_NAP_MS));
  }

  private boolean freeze(int frozenMs) throws InterruptedException {
    Instance one = any(scene.bed().running());
    scene.diary().note("freeze " + one + " for " + frozenMs + " ms");
    frozen(one, () -> Waiting.pass(frozenMs));
    return true;
  }

  private interface Meanwhile {
    void happens() throws InterruptedException;
  }

  private void frozen(Instance one, Meanwhile meanwhile) throws InterruptedException {
    long fromMs = System.currentTimeMillis();
    one.freeze();
    try {
      meanwhile.happens();
    } finally {
      one.thaw();
      scene.bed().notes().revisions().frozen(fromMs, System.currentTimeMillis());
    }
  }

  /** One more or one less, told to end properly: the rest share its partitions. */
  private boolean moveOn() throws InterruptedException {
    List<Instance> idle =
        scene.bed().instances().stream().filter(each -> !each.isWanted()).toList();
    if (idle.isEmpty()) {
      Instance one = any(scene.bed().running());
      scene.diary().note("stop " + one);
      one.stop();
    } else {
      Instance one = any(idle);
      scene.diary().note("add " + one);
      one.start();
    }
    return true;
  }

  /**
   * All instances are gone while users exceed a limit, wait until more would be allowed, and exceed
   * it again: a retry of the first events must still come before the later ones.
   */
  private boolean backlog() throws InterruptedException {
    List<Instance> all = scene.bed().running();
    int backlog = ++backlogs;
    scene.diary().note("kill " + all + ", start them when there is a backlog of retries");
    all.forEach(Instance::kill);
    List<String> users =
        IntStream.range(0, PATIENT_USERS).mapToObj(i -> "patient" + backlog + "-" + i).toList();
    scene.publisher().publish((events, nowMs) -> events.retrying(users, nowMs));
    Waiting.pass(UNTIL_RETRIED_MS);
    scene.publisher().publish((events, nowMs) -> events.retrying(users, nowMs));
    Waiting.pass(UNTIL_RETRIED_MS);
    all.forEach(Instance::start);
    return true;
  }

  /**
   * An instance has read a revision, and sleeps while that is taken back and the topic forgets
   * both.
   */
  private boolean suspend() throws InterruptedException {
    List<Instance> ready = Healthy.ready(scene.bed().running());
    if (ready.isEmpty()) return false;
    Instance one = any(ready);
    String id = "slept-over-" + ++slept;
    scene.diary().note("freeze " + one + " until a revision is forgotten that it knows");
    long fromMs = System.currentTimeMillis();
    Revision revision = ChangingLimits.denial(id, fromMs);
    scene.planner().publishNow(revision);
    Waiting.pass(UNTIL_READ_MS);
    boolean[] forgotten = {false};
    frozen(
        one,
        () -> {
          long frozenMs = System.currentTimeMillis();
          scene.planner().publishNow(revision.tombstone());
          forgotten[0] = ForgottenRevision.await(scene.brokers(), id, MOST_REMEMBERED);
          long leftMs =
              Modes.SESSION_MS + Modes.HEARTBEAT_MS - (System.currentTimeMillis() - frozenMs);
          Waiting.pass(Math.max(0, leftMs));
        });
    return forgotten[0];
  }
}
