package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Bed;
import io.sluice.guarantees.bed.Instance;
import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.Diary;
import java.util.List;
import java.util.SplittableRandom;

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

  private final Bed bed;
  private final SplittableRandom random;
  private final Diary diary;

  InstanceFaults(Bed bed, SplittableRandom random, Diary diary) {
    this.bed = bed;
    this.random = random;
    this.diary = diary;
  }

  List<Fault> all() {
    return List.of(
        this::kill,
        this::kill,
        this::killAll,
        this::freeze,
        this::freeze,
        this::nap,
        this::nap,
        this::moveOn);
  }

  private Instance any(List<Instance> instances) {
    return instances.get(random.nextInt(instances.size()));
  }

  private void kill() throws InterruptedException {
    Instance one = any(bed.running());
    int deadMs = random.nextInt(MOST_DEAD_MS);
    diary.note("kill " + one + ", start it after " + deadMs + " ms");
    one.kill();
    Waiting.pass(deadMs);
    one.start();
  }

  private void killAll() throws InterruptedException {
    List<Instance> all = bed.running();
    diary.note("kill " + all + ", start them");
    all.forEach(Instance::kill);
    all.forEach(Instance::start);
  }

  private void freeze() throws InterruptedException {
    freeze(SHORTEST_FREEZE_MS + random.nextInt(LONGEST_FREEZE_MS - SHORTEST_FREEZE_MS));
  }

  /** A freeze that nobody takes for death: it goes on with what it had, and limits have changed. */
  private void nap() throws InterruptedException {
    freeze(SHORTEST_NAP_MS + random.nextInt(LONGEST_NAP_MS - SHORTEST_NAP_MS));
  }

  private void freeze(int frozenMs) throws InterruptedException {
    Instance one = any(bed.running());
    diary.note("freeze " + one + " for " + frozenMs + " ms");
    long fromMs = System.currentTimeMillis();
    one.freeze();
    Waiting.pass(frozenMs);
    one.thaw();
    bed.revisions().frozen(fromMs, System.currentTimeMillis());
  }

  /** One more or one less, told to end properly: the rest share its partitions. */
  private void moveOn() throws InterruptedException {
    List<Instance> idle = bed.instances().stream().filter(each -> !each.isWanted()).toList();
    if (idle.isEmpty()) {
      Instance one = any(bed.running());
      diary.note("stop " + one);
      one.stop();
    } else {
      Instance one = any(idle);
      diary.note("add " + one);
      one.start();
    }
  }
}
