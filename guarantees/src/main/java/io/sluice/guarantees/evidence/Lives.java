package io.sluice.guarantees.evidence;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Log of the starts of instances in a test run, and of their unexpected failures. Each entry is
 * written to a file at once, so that the results of the run can be checked again. Thread-safe.
 */
public final class Lives {
  private static final String FILE = "lives.txt";
  private static final String STARTED = "started ";
  private static final String EXCUSED = "excused ";

  private final NoteFile file;
  private final List<String> lines = new ArrayList<>();

  private Lives(NoteFile file) {
    this.file = file;
  }

  public static Lives in(Path folder) {
    Lives lives = new Lives(new NoteFile(folder.resolve(FILE)));
    lives.file.read(lives.lines::add);
    return lives;
  }

  public void started(String instance) {
    note(STARTED + instance);
  }

  /** Records a failure of an instance that the run itself has caused. */
  public void excused(String what, String cause) {
    note(EXCUSED + what + ", because " + cause);
  }

  /** Records a failure of an instance that the run has not caused, which breaks a guarantee. */
  public void broken(String what) {
    note(what);
  }

  private synchronized void note(String line) {
    lines.add(line);
    file.append(line);
  }

  public synchronized long starts() {
    return lines.stream().filter(line -> line.startsWith(STARTED)).count();
  }

  public synchronized List<String> excused() {
    return lines.stream()
        .filter(line -> line.startsWith(EXCUSED))
        .map(line -> line.substring(EXCUSED.length()))
        .toList();
  }

  public synchronized List<String> broken() {
    return lines.stream()
        .filter(line -> !line.startsWith(STARTED) && !line.startsWith(EXCUSED))
        .toList();
  }
}
