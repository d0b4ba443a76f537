package io.sluice.guarantees.evidence;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The lives of the instances of a run: how often one was started, and what went wrong with one
 * though nobody had meant it to. It is written down as it happens, so that it can be judged again.
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

  /** Something that the run itself has caused, and by what. */
  public void excused(String what, String cause) {
    note(EXCUSED + what + ", because " + cause);
  }

  /** Something that nobody has caused. */
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
