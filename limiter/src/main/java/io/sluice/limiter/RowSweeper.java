package io.sluice.limiter;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Deletes rows of keys that have been idle for so long that they are as good as new. */
public final class RowSweeper {
  private final Rows rows;
  private final Map<String, Rule> rules = new HashMap<>();

  public RowSweeper(Rows rows, Collection<Rule> rules) {
    this.rows = rows;
    for (Rule rule : rules) this.rules.put(rule.name() + shape(rule), rule);
  }

  private static char shape(Rule rule) {
    return (char) RowKeys.shape(rule.algorithm());
  }

  /**
   * Looks at one row, and deletes it, and what belongs to it, if nothing depends on it at {@code
   * nowMicros} or later. Rows of rules that are no longer known, or that have another shape, go
   * too.
   *
   * @return whether it was deleted
   */
  public boolean sweep(byte[] row, byte[] value, long nowMicros) {
    if (row[0] != RowKeys.HEAD) return false;
    Rule rule = rules.get(nameAndShape(row));
    if (rule != null && newAt(rule, value) > nowMicros) return false;
    if (shapeOf(row) == 'l') WindowLog.deletePieces(rows, row, value);
    rows.delete(row);
    return true;
  }

  private static long newAt(Rule rule, byte[] value) {
    long period = rule.quota().periodMicros();
    return switch (rule.algorithm()) {
      case GCRA -> GcraState.newAt(value);
      case SLIDING_WINDOW_LOG -> WindowLog.newAt(value, period);
      case SLIDING_WINDOW_COUNTER -> WindowCounter.newAt(value, period);
    };
  }

  private static String nameAndShape(byte[] row) {
    int end = nameEnd(row);
    return new String(row, 1, end - 1, StandardCharsets.UTF_8) + shapeOf(row);
  }

  private static char shapeOf(byte[] row) {
    return (char) row[nameEnd(row) + 1];
  }

  private static int nameEnd(byte[] row) {
    int end = 1;
    while (row[end] != 0) end++;
    return end;
  }
}
