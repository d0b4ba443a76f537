package io.sluice.limiter;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Deletes rows of keys that have been idle for so long that nothing in them matters any more. */
public final class RowSweeper {
  private final Storage storage;
  private final Map<String, Rule> rules = new HashMap<>();

  public RowSweeper(Rows rows, Collection<Rule> rules) {
    storage = new Storage(rows);
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
   * @throws UnknownFormatException if a later release has written it
   */
  public boolean sweep(byte[] row, byte[] value, long nowMicros) {
    if (row[0] != RowKeys.HEAD) return RowKeys.shapeOf(row) != RowKeys.LOG && delete(row);
    Rule rule = rules.get(nameAndShape(row));
    if (rule != null && KeyState.of(rule, storage, row, value).forgottenAt() > nowMicros)
      return false;
    if (RowKeys.shapeOf(row) == RowKeys.LOG) WindowLog.deletePieces(storage.rows(), row, value);
    return delete(row);
  }

  private boolean delete(byte[] row) {
    storage.rows().delete(row);
    return true;
  }

  private static String nameAndShape(byte[] row) {
    String name = new String(row, 1, RowKeys.nameEnd(row) - 1, StandardCharsets.UTF_8);
    return name + (char) RowKeys.shapeOf(row);
  }
}
