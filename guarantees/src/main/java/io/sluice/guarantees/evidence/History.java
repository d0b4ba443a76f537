package io.sluice.guarantees.evidence;

import io.sluice.guarantees.evidence.FaultLog.Lasted;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Complete results of a test run: the records of its topics, and its logs. All guarantees are
 * checked against them.
 */
public final class History {
  private final Modes modes;
  private final Limits limits;
  private final Read first;
  private final Read again;
  private final Notes notes;
  private final Map<Long, Kept> inputOf = new HashMap<>();
  private final Map<Long, List<Kept>> endsOf;
  private final Announcements announcements;
  private final List<Lasted> fences;
  private final List<Lasted> threadFailures;

  /**
   * @param first records of the application that ran under faults
   * @param again records of the application that replayed the input; {@link Read#NOTHING} if there
   *     was no replay
   */
  public History(Modes modes, Read first, Read again, Notes notes) {
    this.modes = modes;
    this.first = first;
    this.again = again;
    this.notes = notes;
    limits = new Limits(modes);
    for (Kept input : first.inputs()) inputOf.put(input.number(), input);
    endsOf = first.ends().collect(Collectors.groupingBy(Kept::number));
    announcements = new Announcements(first.delayed());
    List<Lasted> faults = notes.faults().lasted();
    fences = faults.isEmpty() ? List.of() : notes.threads().fenced(faults.get(0).fromMs());
    threadFailures = faults.isEmpty() ? List.of() : notes.threads().failed(faults.get(0).fromMs());
  }

  public Modes modes() {
    return modes;
  }

  public Limits limits() {
    return limits;
  }

  public Lives lives() {
    return notes.lives();
  }

  public Revisions revisions() {
    return notes.revisions();
  }

  public FaultLog faults() {
    return notes.faults();
  }

  /** Returns the periods in which stream threads lost their partitions because they were late. */
  public List<Lasted> fences() {
    return fences;
  }

  /** Returns the periods in which stream threads failed. */
  public List<Lasted> threadFailures() {
    return threadFailures;
  }

  public CancelLog cancels() {
    return notes.cancels();
  }

  /** Returns the records of the application that replayed the input. */
  public Read again() {
    return again;
  }

  public List<Kept> inputs() {
    return first.inputs();
  }

  public List<Kept> allowed() {
    return first.allowed();
  }

  public List<Kept> rejected() {
    return first.rejected();
  }

  public List<Kept> deadLetters() {
    return first.deadLetters();
  }

  /** Returns all records with which an event has ended: allowed, rejected and dead letters. */
  public Stream<Kept> ends() {
    return first.ends();
  }

  /**
   * Returns the records (allowed, rejected or dead letters) with which an input record has ended:
   * exactly one in a correct run.
   */
  public List<Kept> endsOf(Kept input) {
    return endsOf.getOrDefault(input.number(), List.of());
  }

  /** Whether an input record has ended as a dead letter. */
  public boolean endsAsDeadLetter(Kept input) {
    return endsOf(input).stream().anyMatch(end -> !end.header(Verdicts.ERROR).isEmpty());
  }

  /** Returns messages about output records that do not name their input record. */
  public List<String> strangers() {
    return first.strangers();
  }

  /** Returns the input record of an output record; empty if there is no such input. */
  public Optional<Kept> inputOf(Kept output) {
    return Optional.ofNullable(inputOf.get(output.number()));
  }

  public Announcements announcements() {
    return announcements;
  }
}
