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

/** Causes faults of Sluice instances: kills or freezes them, and changes their number. */
final class InstanceFaults {
  private static final int MOST_DEAD_MS = 4_000;

  /**
   * Maximum time for which an instance is frozen. Longer than a group session, a transaction and
   * short client timeouts, so that other instances take over, and the frozen instance wakes up
   * after the group has removed it.
   */
  private static final int LONGEST_FREEZE_MS = 18_000;

  private static final int SHORTEST_FREEZE_MS = 300;

  /**
   * Minimum time of a short freeze. Revisions (dated changes of limits) are published less time
   * before they take effect, so the instance wakes up while a revision is in force that it has not
   * read.
   */
  private static final int SHORTEST_NAP_MS = 2_500;

  /**
   * Maximum time of a short freeze; shorter than a group session less a heartbeat, so that the
   * group does not remove the instance.
   */
  private static final int LONGEST_NAP_MS = 4_400;

  private static final int PATIENT_USERS = 4;

  /** Time in milliseconds after which retries of rejected events are due. */
  private static final int UNTIL_RETRIED_MS = 1_500;

  /**
   * Time in milliseconds after which every instance has read a published revision (a dated change
   * of limits).
   */
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

  /**
   * Freezes an instance for less than a group session: afterwards it continues with its partitions,
   * although limits have changed meanwhile.
   */
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

  /** Stops one instance cleanly if all run, or starts a stopped one, so that partitions move. */
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
   * Kills all instances; meanwhile users exceed a limit that retries, wait until more events would
   * be allowed, and exceed the limit again. After the restart, retries of the first events must be
   * metered before the later events.
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
   * Freezes an instance that has read a revision (a dated change of a limit), until the revision is
   * deleted and compaction has removed both the revision and its tombstone from the topic.
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
