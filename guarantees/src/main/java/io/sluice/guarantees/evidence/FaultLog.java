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
 * Log of the faults that happened in a run, and of the ends that events must have due to them.
 * Written to a file as it happens, so that a run can be checked again. Thread-safe.
 */
public final class FaultLog {
  private static final String FILE = "faults.txt";
  private static final String HAPPENED = "happened";
  private static final String SHRUNK = "shrunk";
  private static final String ENDS = "ends";

  /** End that an event must have, because it was published and ended while a fault lasted. */
  public enum Ending {
    /** Dead letter: the event was too large for the topic of allowed events. */
    TOO_LARGE,
    /** The event's count in Redis was in a key of another type. */
    UNREADABLE_COUNT
  }

  /** Period in which the topic of allowed events accepted records of up to this size. */
  public record Shrunk(long bytes, long fromMs, long toMs) {}

  private final NoteFile file;
  private final Map<FaultKind, Integer> happened = new EnumMap<>(FaultKind.class);
  private final List<Shrunk> shrunk = new ArrayList<>();
  private final Map<Long, Ending> endings = new HashMap<>();

  private FaultLog(NoteFile file) {
    this.file = file;
  }

  public static FaultLog in(Path folder) {
    FaultLog faults = new FaultLog(new NoteFile(folder.resolve(FILE)));
    faults.file.read(faults::remember);
    return faults;
  }

  /** Records that a fault had its effect. */
  public void happened(FaultKind kind) {
    note(HAPPENED, kind.name());
  }

  /**
   * Records that the topic of allowed events accepted at most this many bytes, a size used only
   * once.
   */
  public void shrunk(long bytes, long fromMs, long toMs) {
    note(SHRUNK, Long.toString(bytes), Long.toString(fromMs), Long.toString(toMs));
  }

  /** Records that an event ended while its fault lasted, and how it must have ended. */
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

  /** Returns the faults that the modes require and that never happened. */
  public synchronized List<FaultKind> missing(Modes modes) {
    return missing(FaultKind.of(modes));
  }

  /** Returns those of these faults that never happened. */
  public synchronized List<FaultKind> missing(Set<FaultKind> kinds) {
    return kinds.stream().filter(kind -> count(kind) == 0).toList();
  }

  /** Returns all periods in which the topic of allowed events accepted smaller records. */
  public synchronized List<Shrunk> shrunk() {
    return List.copyOf(shrunk);
  }

  /** Returns the end that an event must have; empty if no fault determines it. */
  public synchronized Optional<Ending> ending(Kept input) {
    return Optional.ofNullable(endings.get(input.number()));
  }

  /** Returns the number of events whose end is determined by a fault. */
  public synchronized long endings() {
    return endings.size();
  }
}
