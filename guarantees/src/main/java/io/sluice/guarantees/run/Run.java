package io.sluice.guarantees.run;

import io.sluice.guarantees.bed.Bed;
import io.sluice.guarantees.bed.Waiting;
import io.sluice.guarantees.evidence.Diary;
import io.sluice.guarantees.evidence.Evidence;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Read;
import io.sluice.guarantees.fault.Lane;
import io.sluice.guarantees.fault.Scene;
import io.sluice.guarantees.scenario.Ability;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Topics;
import io.sluice.guarantees.traffic.Planner;
import io.sluice.guarantees.traffic.Publisher;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One test run: events are published during faults; then all faults end, and all events must end as
 * allowed, rejected or dead letters. If the modes are repeatable, a second application then replays
 * the input.
 */
public final class Run {
  private static final long TEND_MS = 200;
  private static final long AFTER_LAST_MS = 1_000;

  /**
   * Maximum time without progress while waiting for events; longer than any timeout of a
   * transaction or a session, or the restore of a store.
   */
  private static final Duration MOST_STUCK = Duration.ofSeconds(90);

  /**
   * Time without faults at the end of a run: events that are late due to faults cannot show whether
   * delayed events leave too early.
   */
  private static final Duration CALM = Duration.ofSeconds(10);

  /**
   * Time without faults at the beginning: until the first order to cancel an event has been read
   * for sure, and the shares of floods can be compared.
   */
  private static final Duration FIRST_CALM = Duration.ofSeconds(20);

  private final Diary diary;
  private final long seed;
  private final Modes modes;
  private final Duration faults;
  private final int perSecond;

  public Run(Diary diary, long seed, Modes modes, Duration faults, int perSecond) {
    this.diary = diary;
    this.seed = seed;
    this.modes = modes;
    this.faults = faults;
    this.perSecond = perSecond;
  }

  /** Executes the run, and returns its results. */
  public History run(Path folder, Path launcher) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Bed bed = Bed.start(folder, launcher, modes)) {
      diary.note("two instances are ready; see " + folder);
      Read first = first(bed, random);
      Read again = modes.areRepeatable() ? again(bed) : Read.NOTHING;
      bed.notes().lives().excused().forEach(diary::note);
      diary.note("checking " + first.inputs().size() + " events");
      return new History(modes, first, again, bed.notes());
    }
  }

  private Read first(Bed bed, SplittableRandom random) throws InterruptedException {
    try (Timekeeper timekeeper = new Timekeeper(bed.broker().bootstrapServers())) {
      timekeeper.start();
      long acknowledged = publishUnderFaults(bed, random);
      Read first = drain(bed, Topics.FIRST);
      if (first.inputs().size() < acknowledged) {
        throw new ShowsNothingException("the broker lost what it had acknowledged");
      }
      return first;
    }
  }

  private Read again(Bed bed) throws InterruptedException {
    diary.note("replaying all of it");
    bed.startAgain();
    return drain(bed, Topics.AGAIN);
  }

  private long publishUnderFaults(Bed bed, SplittableRandom random) throws InterruptedException {
    String brokers = bed.broker().bootstrapServers();
    List<String> topics = Topics.INPUTS.subList(0, modes.inputs());
    try (Publisher publisher = new Publisher(brokers, topics, random.split(), perSecond);
        Planner planner =
            new Planner(brokers, random.split(), bed.notes().revisions()::acknowledged)) {
      publisher.start();
      planner.start();
      List<Lane> lanes = Lane.all(new Scene(modes, bed, publisher, planner, diary), random);
      Optional<Canceller> canceller = canceller(bed, publisher, random);
      canceller.ifPresent(Canceller::start);
      tend(bed, FIRST_CALM);
      lanes.forEach(Lane::start);
      tend(bed, faults);
      diary.note("the time is over; what has not happened yet follows");
      lanes.forEach(Lane::finish);
      while (!lanes.stream().allMatch(Lane::hasEnded)) tend(bed, Duration.ofMillis(TEND_MS));
      lanes.forEach(Lane::requireWhole);
      diary.note("all faults are over");
      tend(bed, CALM);
      if (canceller.isPresent()) canceller.get().stop();
      planner.stop();
      publisher.stop();
      diary.note(publisher.acknowledged() + " events published");
      return publisher.acknowledged();
    }
  }

  /** Returns a canceller, if the product can cancel events. */
  private static Optional<Canceller> canceller(
      Bed bed, Publisher publisher, SplittableRandom random) {
    if (!Ability.CANCEL.isPresent()) return Optional.empty();
    return Optional.of(
        new Canceller(
            bed::cancel, publisher::recentlyQueued, bed.notes().cancels(), random.split()));
  }

  private static void tend(Bed bed, Duration time) throws InterruptedException {
    long startNanos = System.nanoTime();
    while (System.nanoTime() - startNanos < time.toNanos()) {
      bed.tend();
      Waiting.pass(TEND_MS);
    }
  }

  /**
   * Reads the output topics until all events have ended as allowed, rejected or dead letters, or no
   * more have for 90 s; then stops the instances and reads the remaining records.
   */
  private Read drain(Bed bed, Topics.Outputs outputs) throws InterruptedException {
    try (Evidence evidence = new Evidence(bed.broker().bootstrapServers(), outputs)) {
      evidence.readOn();
      int left = evidence.unended();
      long movedNanos = System.nanoTime();
      while (left > 0 && System.nanoTime() - movedNanos < MOST_STUCK.toNanos()) {
        bed.tend();
        Waiting.pass(TEND_MS);
        evidence.readOn();
        if (evidence.unended() < left) movedNanos = System.nanoTime();
        left = evidence.unended();
      }
      Waiting.pass(
          Math.max(0, evidence.lastReleaseMs() - System.currentTimeMillis()) + AFTER_LAST_MS);
      diary.note(left + " events have not ended; stopping the instances");
      bed.stopInstances();
      if (left > 0) requireNoneOpen(bed);
      evidence.readOn();
      return evidence.all();
    }
  }

  /**
   * Fails if the Kafka broker has left transactions open and therefore hides records forever, which
   * is not a fault of Sluice.
   */
  private static void requireNoneOpen(Bed bed) throws InterruptedException {
    List<String> open = OpenTransactions.find(bed.broker().bootstrapServers());
    if (open.isEmpty()) return;
    throw new ShowsNothingException(
        "the broker has ended transactions and left them open all the same: " + open);
  }
}
