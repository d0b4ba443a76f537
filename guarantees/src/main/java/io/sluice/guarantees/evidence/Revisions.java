package io.sluice.guarantees.evidence;

import io.sluice.guarantees.scenario.Revision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Log of the revisions (dated changes of limits) that the broker has acknowledged, in order and
 * with their times, and of the periods in which instances could not read revisions. Each entry is
 * written to a file at once, since compaction removes replaced revisions from the topic.
 * Thread-safe.
 */
public final class Revisions {
  private static final String FILE = "revisions.txt";
  private static final String ACKNOWLEDGED = "acknowledged";
  private static final String BROKER_GONE = "broker-gone";
  private static final String FROZEN = "frozen";

  /**
   * Revision (dated change of a limit) with the time at which the broker acknowledged it, epoch
   * milliseconds. From this time on, all consumers can read it.
   */
  public record Acknowledged(Revision revision, long atMs) {}

  /** Period in epoch milliseconds, inclusive at both ends. */
  public record Span(long fromMs, long toMs) {
    public boolean touches(Span other) {
      return fromMs <= other.toMs && other.fromMs <= toMs;
    }
  }

  private final NoteFile file;
  private final List<Acknowledged> all = new ArrayList<>();
  private final List<Span> brokerGone = new ArrayList<>();
  private final List<Span> frozen = new ArrayList<>();

  private Revisions(NoteFile file) {
    this.file = file;
  }

  public static Revisions in(Path folder) {
    Revisions revisions = new Revisions(new NoteFile(folder.resolve(FILE)));
    revisions.file.read(revisions::remember);
    return revisions;
  }

  public void acknowledged(Revision revision, long atMs) {
    note(String.join(" ", ACKNOWLEDGED, Long.toString(atMs), revision.line()));
  }

  public void brokerGone(long fromMs, long toMs) {
    note(String.join(" ", BROKER_GONE, Long.toString(fromMs), Long.toString(toMs)));
  }

  /** Records the period in which an instance was frozen. */
  public void frozen(long fromMs, long toMs) {
    note(String.join(" ", FROZEN, Long.toString(fromMs), Long.toString(toMs)));
  }

  private synchronized void note(String line) {
    remember(line);
    file.append(line);
  }

  private void remember(String line) {
    String[] words = line.split(" ", -1);
    long atMs = Long.parseLong(words[1]);
    switch (words[0]) {
      case ACKNOWLEDGED -> all.add(new Acknowledged(Revision.read(words[2]), atMs));
      case BROKER_GONE -> brokerGone.add(new Span(atMs, Long.parseLong(words[2])));
      default -> frozen.add(new Span(atMs, Long.parseLong(words[2])));
    }
  }

  public synchronized List<Acknowledged> all() {
    return List.copyOf(all);
  }

  public synchronized List<Span> brokerGone() {
    return List.copyOf(brokerGone);
  }

  public synchronized List<Span> frozen() {
    return List.copyOf(frozen);
  }
}
