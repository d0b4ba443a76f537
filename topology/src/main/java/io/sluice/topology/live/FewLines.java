package io.sluice.topology.live;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;

/** Lines for the log about records, of which there may be many: a few, and how many there are. */
final class FewLines {
  private static final int MOST = 10;

  private final List<String> first = new ArrayList<>();
  private int others;

  void add(String line) {
    if (first.size() < MOST) first.add(line);
    else others++;
  }

  void warn(Logger log) {
    first.forEach(log::warn);
    if (others > 0) log.warn("and {} more such records", others);
  }
}
