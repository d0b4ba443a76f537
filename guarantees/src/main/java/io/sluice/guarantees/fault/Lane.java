package io.sluice.guarantees.fault;

import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.FaultLog;
import io.sluice.guarantees.scenario.FaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Thread that causes one fault after another, with pauses, in an order that the seed determines:
 * each kind of fault happens once before any kind is repeated. Several lanes run concurrently, so
 * that their faults overlap.
 */
public final class Lane {
  private static final int MOST_PAUSE_MS = 3_000;

  /** Shortest time in milliseconds of a fault that did something, but not what it should. */
  private static final int SHORTEST_MS = 5_000;

  /** Maximum time by which a run is prolonged until each kind of fault has happened. */
  private static final Duration MOST_LONGER = Duration.ofMinutes(4);

  private final Map<FaultKind, Fault> faults;
  private final SplittableRandom random;
  private final ReadWriteLock alone;
  private final FaultLog log;
  private final Thread thread;
  private final List<FaultKind> bag = new ArrayList<>();
  private volatile boolean over;
  private volatile long endNanos;

  // Exception that ended the thread; read by other threads only after its end.
  private Throwable failure;

  /**
   * @param alone lock shared by all lanes: a fault that may overlap others takes the read lock, a
   *     fault that must happen alone takes the write lock
   */
  Lane(
      String name,
      Map<FaultKind, Fault> faults,
      SplittableRandom random,
      ReadWriteLock alone,
      FaultLog log) {
    this.faults = faults;
    this.random = random;
    this.alone = alone;
    this.log = log;
    bag.addAll(faults.keySet());
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /**
   * Returns the three lanes of a run: one for faults of instances, one for faults of the broker and
   * faults that must happen alone, and one for all other faults.
   */
  public static List<Lane> all(Scene scene, SplittableRandom random) {
    ReadWriteLock alone = new ReentrantReadWriteLock(true);
    Map<FaultKind, Fault> others = new EnumMap<>(new RedisFaults(scene, random.split()).all());
    others.putAll(new InputFaults(scene, random.split()).all());
    Map<FaultKind, Fault> broker = new EnumMap<>(new BrokerFaults(scene, random.split()).all());
    broker.put(FaultKind.LOSE_REDIS, others.remove(FaultKind.LOSE_REDIS));
    return List.of(
        of("the broker", broker, scene, random, alone),
        of("instances", new InstanceFaults(scene, random.split()).all(), scene, random, alone),
        of("others", others, scene, random, alone));
  }

  private static Lane of(
      String whose,
      Map<FaultKind, Fault> all,
      Scene scene,
      SplittableRandom random,
      ReadWriteLock alone) {
    Map<FaultKind, Fault> faults = new EnumMap<>(all);
    faults.keySet().retainAll(FaultKind.of(scene.modes()));
    return new Lane("faults of " + whose, faults, random.split(), alone, scene.faults());
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      strikeAlone();
      while (!over || (!isComplete() && System.nanoTime() - endNanos < 0)) {
        if (!over) Waiting.pass(random.nextInt(MOST_PAUSE_MS));
        strike(next());
      }
    } catch (InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  private boolean isComplete() {
    return log.missing(faults.keySet()).isEmpty();
  }

  /**
   * Causes the faults that must happen alone before all others, while all instances are healthy;
   * later these faults would have to wait until all instances are healthy again.
   */
  private void strikeAlone() throws InterruptedException {
    List<FaultKind> all = bag.stream().filter(FaultKind::isAlone).toList();
    if (all.isEmpty()) return;
    alone.writeLock().lockInterruptibly();
    try {
      for (FaultKind kind : all) strikeHere(kind);
      bag.removeAll(all);
    } finally {
      alone.writeLock().unlock();
    }
  }

  private void strike(FaultKind kind) throws InterruptedException {
    Lock lock = kind.isAlone() ? alone.writeLock() : alone.readLock();
    lock.lockInterruptibly();
    try {
      strikeHere(kind);
    } finally {
      lock.unlock();
    }
  }

  private void strikeHere(FaultKind kind) throws InterruptedException {
    long fromMs = System.currentTimeMillis();
    boolean happened = faults.get(kind).strike();
    long toMs = System.currentTimeMillis();
    // A fault that found nothing to act on returns soon, and is tried again and again.
    if (happened || toMs - fromMs > SHORTEST_MS) log.lasted(kind, fromMs, toMs);
    if (happened) log.happened(kind);
  }

  private FaultKind next() {
    if (over) bag.retainAll(log.missing(faults.keySet()));
    if (bag.isEmpty()) fillBag();
    return bag.remove(random.nextInt(bag.size()));
  }

  private void fillBag() {
    if (over) bag.addAll(log.missing(faults.keySet()));
    if (!bag.isEmpty()) return;
    for (FaultKind kind : faults.keySet()) {
      for (int i = 0; i < kind.times(); i++) bag.add(kind);
    }
  }

  /**
   * Ends the lane as soon as each kind of its faults has happened, at the latest after {@link
   * #MOST_LONGER}.
   */
  public void finish() {
    endNanos = System.nanoTime() + MOST_LONGER.toNanos();
    over = true;
  }

  /** Whether the lane has ended and its last fault is over. */
  public boolean hasEnded() {
    return !thread.isAlive();
  }

  void join() throws InterruptedException {
    thread.join();
  }

  /**
   * Checks that the lane's thread has not failed.
   *
   * @throws IllegalStateException if a fault could not be caused
   */
  public void requireWhole() {
    if (failure != null) throw new IllegalStateException(thread.getName() + " failed", failure);
  }
}
