package io.sluice.cli.limits;

import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.RevisionReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a file of revisions (dated changes of limits), one JSON object per line, as {@code limits
 * history --export} prints them.
 */
public final class RevisionFile {
  private static final int MOST_MISTAKES = 20;

  private final Path file;
  private final RevisionReader reader = new RevisionReader();
  private final List<LimitRevision> revisions = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();

  private RevisionFile(Path file) {
    this.file = file;
  }

  /**
   * Reads all revisions; empty lines are skipped.
   *
   * @throws IllegalArgumentException if the file cannot be read, or if lines are not revisions; the
   *     message names up to 20 such lines
   */
  public static List<LimitRevision> read(Path file) {
    RevisionFile revisions = new RevisionFile(file);
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      revisions.read(lines);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(file + ": no such file", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e.getMessage(), e);
    }
    if (revisions.mistakes.isEmpty()) return revisions.revisions;
    throw new IllegalArgumentException(String.join(System.lineSeparator(), revisions.mistakes));
  }

  private void read(BufferedReader lines) throws IOException {
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (line.isBlank()) continue;
      try {
        revisions.add(reader.ofLine(line, number));
      } catch (UnreadableRevisionException e) {
        mistakes.add(file + " line " + number + ": " + e.getMessage());
        if (mistakes.size() == MOST_MISTAKES) return;
      }
    }
  }
}
