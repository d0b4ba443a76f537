package io.sluice.topology.live;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;

/** Lines for the log about records, of which there may be many: a few, and how many there are. */
final class FewLines {
  private static final int MOST = 10;

  private final List<String> first = new ArrayList<>();
  private final Predicate<String> isNew;
  private int others;

  FewLines() {
    this(any -> true);
  }

  /**
   * @param isNew whether a line has not been said before
   */
  FewLines(Predicate<String> isNew) {
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
