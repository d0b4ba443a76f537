package io.sluice.guarantees.evidence;

import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Log of the faults that happened in a test run, and of the events that must end in a certain way
 * because of a fault. Each entry is written to a file at once, so that the results of the run can
 * be checked again. Thread-safe.
 */
public final class FaultLog {
  private static final String FILE = "faults.txt";
  private static final String HAPPENED = "happened";
  private static final String SHRUNK = "shrunk";
  private static final String ENDS = "ends";
  private static final String LASTED = "lasted";

  /** Way in which an event must end, because it was published and ended while a fault lasted. */
  public enum Ending {
    /** As a dead letter, because the event was too large for the topic of allowed events. */
    TOO_LARGE,
    /**
     * As the limit's policy for an unavailable Redis says, or, if this policy is {@code wait}, as a
     * dead letter that names the key: the limit's key in Redis was of another type.
     */
    UNREADABLE_COUNT
  }

  /**
   * Period in which the topic of allowed events accepted only records of up to {@code bytes} bytes;
   * times are in epoch milliseconds.
   */
  public record Shrunk(long bytes, long fromMs, long toMs) {}

  /** Period of a fault in epoch milliseconds, inclusive at both ends. */
  public record Lasted(FaultKind kind, long fromMs, long toMs) {}

  private final NoteFile file;
  private final Map<FaultKind, Integer> happened = new EnumMap<>(FaultKind.class);
  private final List<Shrunk> shrunk = new ArrayList<>();
  private final List<Lasted> lasted = new ArrayList<>();
  private final Map<Long, Ending> endings = new HashMap<>();

  private FaultLog(NoteFile file) {
    this.file = file;
  }

  public static FaultLog in(Path folder) {
    FaultLog faults = new FaultLog(new NoteFile(folder.resolve(FILE)));
    faults.file.read(faults::remember);
    return faults;
  }

  /** Records that a fault of this kind happened and had its effect. */
  public void happened(FaultKind kind) {
    note(HAPPENED, kind.name());
  }

  /** Records the period of a fault, which may have had its effect or not. */
  public void lasted(FaultKind kind, long fromMs, long toMs) {
    note(LASTED, kind.name(), Long.toString(fromMs), Long.toString(toMs));
  }

  /**
   * Records a period in which the topic of allowed events accepted only records of at most {@code
   * bytes} bytes, a size that is used only once.
   */
  public void shrunk(long bytes, long fromMs, long toMs) {
    note(SHRUNK, Long.toString(bytes), Long.toString(fromMs), Long.toString(toMs));
  }

  /**
   * Records how an event must have ended, after it ended while a fault lasted.
   *
   * @param number unique number of the event's record
   */
  public void mustEnd(long number, Ending as) {
    note(ENDS, Long.toString(number), as.name());
  }

  private synchronized void note(String... words) {
    String line = String.join(" ", words);
    remember(line);
    file.append(line);
  }

  private void remember(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case HAPPENED -> happened.merge(FaultKind.valueOf(words[1]), 1, Integer::sum);
      case LASTED ->
          lasted.add(
              new Lasted(
                  FaultKind.valueOf(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
      case ENDS -> endings.put(Long.parseLong(words[1]), Ending.valueOf(words[2]));
      default ->
          shrunk.add(
              new Shrunk(
                  Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
    }
  }

  public synchronized int count(FaultKind kind) {
    return happened.getOrDefault(kind, 0);
  }

  /** Returns the kinds of faults that the modes require and that never happened. */
  public synchronized List<FaultKind> missing(Modes modes) {
    return missing(FaultKind.of(modes));
  }

  /** Returns the kinds of faults among {@code kinds} that never happened. */
  public synchronized List<FaultKind> missing(Set<FaultKind> kinds) {
    return kinds.stream().filter(kind -> count(kind) == 0).toList();
  }

  /** Returns the periods of all faults. */
  public synchronized List<Lasted> lasted() {
    return List.copyOf(lasted);
  }

  /** Returns all periods in which the topic of allowed events accepted only smaller records. */
  public synchronized List<Shrunk> shrunk() {
    return List.copyOf(shrunk);
  }

  /** Returns the way in which an event must end; empty if no fault determines it. */
  public synchronized Optional<Ending> ending(Kept input) {
    return Optional.ofNullable(endings.get(input.number()));
  }

  /** Returns the number of events for which a fault determines how they must end. */
  public synchronized long endings() {
    return endings.size();
  }
}
