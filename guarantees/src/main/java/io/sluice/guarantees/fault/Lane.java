package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Bed;
import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.Diary;
import io.sluice.guarantees.traffic.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Faults, one after another with pauses, each once before any comes again: in an order that a seed
 * decides. Several lanes run side by side, so that two things go wrong at once.
 */
public final class Lane {
  private static final int MOST_PAUSE_MS = 3_000;

  private final List<Fault> faults;
  private final SplittableRandom random;
  private final Thread thread;
  private final List<Fault> bag = new ArrayList<>();
  private volatile boolean over;

  // Read when the thread has ended:
  private Throwable failure;
  private int struck;

  Lane(String name, List<Fault> faults, SplittableRandom random) {
    this.faults = faults;
    this.random = random;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /** Those of a run: one befalls its instances, the other its servers. */
  public static List<Lane> all(Bed bed, Publisher publisher, SplittableRandom random, Diary diary) {
    return List.of(
        new Lane(
            "faults of instances",
            new InstanceFaults(bed, random.split(), diary).all(),
            random.split()),
        new Lane(
            "faults of servers",
            new ServerFaults(bed, publisher, random.split(), diary).all(),
            random.split()));
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!over) {
        Waiting.pass(random.nextInt(MOST_PAUSE_MS));
        if (over) return;
        next().strike();
        struck++;
      }
    } catch (InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  private Fault next() {
    if (bag.isEmpty()) bag.addAll(faults);
    return bag.remove(random.nextInt(bag.size()));
  }

  /** Returns when the last fault is over, and says how many there were. */
  public int stop() throws InterruptedException {
    over = true;
    thread.join();
    if (failure != null) throw new IllegalStateException(thread.getName() + " failed", failure);
    return struck;
  }
}
