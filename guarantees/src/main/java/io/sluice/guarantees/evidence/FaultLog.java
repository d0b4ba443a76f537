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
 * The faults that happened in a run, and what follows from them for single events. It is written
 * down as it happens, so that it can be judged again.
 */
public final class FaultLog {
  private static final String FILE = "faults.txt";
  private static final String HAPPENED = "happened";
  private static final String SHRUNK = "shrunk";
  private static final String ENDS = "ends";

  /** The end that an event must have, because it came and ended while a fault lasted. */
  public enum Ending {
    /** It was too large for the topic of allowed events. */
    TOO_LARGE,
    /** Its count in Redis was in a key of another type. */
    UNREADABLE_COUNT
  }

  /** A time in which the topic of allowed events took records of up to so many bytes. */
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

  /** A fault had its effect. */
  public void happened(FaultKind kind) {
    note(HAPPENED, kind.name());
  }

  /** The topic of allowed events took at most so many bytes, which no other time has. */
  public void shrunk(long bytes, long fromMs, long toMs) {
    note(SHRUNK, Long.toString(bytes), Long.toString(fromMs), Long.toString(toMs));
  }

  /** An event has ended while its fault lasted. */
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

  /** The faults that a run with these modes must have, and did not. */
  public synchronized List<FaultKind> missing(Modes modes) {
    return missing(FaultKind.of(modes));
  }

  /** Which of these never happened. */
  public synchronized List<FaultKind> missing(Set<FaultKind> kinds) {
    return kinds.stream().filter(kind -> count(kind) == 0).toList();
  }

  /** Every time in which the topic of allowed events was made to take less. */
  public synchronized List<Shrunk> shrunk() {
    return List.copyOf(shrunk);
  }

  /** The end that an event must have; empty if its end does not follow from a fault. */
  public synchronized Optional<Ending> ending(Kept input) {
    return Optional.ofNullable(endings.get(input.number()));
  }

  /** How many events must end like that. */
  public synchronized long endings() {
    return endings.size();
  }
}
