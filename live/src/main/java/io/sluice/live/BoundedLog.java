package io.sluice.live;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;

/** Collector of log lines about records: keeps the first ten lines and counts the others. */
final class BoundedLog {
  private static final int MOST = 10;

  private final List<String> first = new ArrayList<>();
  private final Predicate<String> isNew;
  private int others;

  BoundedLog() {
    this(any -> true);
  }

  /**
   * Creates a collector without repetitions.
   *
   * @param isNew returns false for a line that was logged before and must not be repeated
   */
  BoundedLog(Predicate<String> isNew) {
    this.isNew = isNew;
  }

  void add(String line) {
    if (!isNew.test(line)) return;
    if (first.size() < MOST) first.add(line);
    else others++;
  }

  void warn(Logger log) {
    first.forEach(log::warn);
    if (others > 0) log.warn("and {} more such records", others);
  }
}
