package io.sluice.limiter;

import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A sweep of rows, of keys that have been idle for so long that nothing in them matters any more.
 */
public final class RowSweeper {
  private final Storage storage;
  private final Map<String, Rule> rules = new HashMap<>();

  public RowSweeper(Rows rows, Collection<Rule> rules) {
    storage = new Storage(rows);
    for (Rule rule : rules) {
      this.rules.put(rule.name() + (char) rule.algorithm().traits().letter(), rule);
    }
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
    Optional<Algorithm> kept = Algorithm.ofLetter(RowKeys.shapeOf(row));
    if (row[0] != RowKeys.HEAD) { // it goes with its bucket's
      return !kept.map(Algorithm::keepsArrivals).orElse(false) && delete(row);
    }
    Rule rule = rules.get(nameAndShape(row));
    if (rule != null && forgottenAt(rule, row, value) > nowMicros) return false;
    kept.ifPresent(each -> each.traits().deleteRowsBeside(storage.rows(), row, value));
    return delete(row);
  }

  private long forgottenAt(Rule rule, byte[] row, byte[] value) {
    return rule.algorithm().traits().load(rule, storage, row, value).forgottenAt();
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
