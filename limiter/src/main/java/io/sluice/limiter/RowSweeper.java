package io.sluice.limiter;

import io.sluice.limiter.filter.Filters;
import io.sluice.limiter.rows.BlockedRow;
import io.sluice.limiter.rows.RecentRecords;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.Storage;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes the rows of keys that have been idle for so long that their state influences no decision.
 */
public final class RowSweeper {
  private final Storage storage;
  private final Rules rules;

  /** Source of the rules that decide whether a row is still needed. */
  @FunctionalInterface
  public interface Rules {
    /**
     * Returns the rule of the bucket with this limit's name, algorithm and key, with all of the
     * rule's changes; empty if the bucket's rows are not needed.
     */
    Optional<Rule> of(String name, Algorithm algorithm, String key);

    /**
     * Returns the rule that most buckets of a limit have, if it is faster to find than the rule of
     * each bucket; otherwise empty.
     */
    default Optional<Rule> ofMost(String name, Algorithm algorithm) {
      return Optional.empty();
    }
  }

  public RowSweeper(Rows rows, Rules rules) {
    storage = new Storage(rows);
    this.rules = rules;
  }

  /** Creates a sweeper for limits whose rule is the same for all keys. */
  public RowSweeper(Rows rows, Collection<Rule> rules) {
    this(rows, named(rules));
  }

  private static Rules named(Collection<Rule> rules) {
    Map<String, Rule> byName = new HashMap<>();
    for (Rule rule : rules) byName.put(rule.name() + rule.algorithm(), rule);
    return (name, algorithm, key) -> Optional.ofNullable(byName.get(name + algorithm));
  }

  /**
   * Deletes a bucket's row and its further rows, if they influence no decision at {@code nowMicros}
   * or later. Rows of unknown rules, or in formats that no algorithm has, are deleted too.
   *
   * @return whether the row was deleted
   * @throws io.sluice.limiter.rows.UnknownFormatException if a later release has written the row
   */
  public boolean sweep(byte[] row, byte[] value, long nowMicros) {
    Optional<Algorithm> kept = Algorithm.ofLetter(RowKeys.shapeOf(row));
    if (kept.map(Algorithm::admitsOnce).orElse(false)) return sweepFilters(row, nowMicros);
    if (row[0] != RowKeys.HEAD) {
      // A further row is deleted together with its bucket's row, unless its algorithm has no
      // further rows.
      return !kept.map(each -> each.traits().hasRowsBeside()).orElse(false) && delete(row);
    }
    if (kept.isPresent() && isNeeded(kept.get(), row, value, nowMicros)) return false;
    byte[] plain = BlockedRow.plain(value);
    kept.ifPresent(each -> each.traits().deleteRowsBeside(storage.rows(), row, plain));
    return delete(row);
  }

  /**
   * Whether a bucket's row is needed at {@code nowMicros} or later. First reads the bucket's clock,
   * with the rule of most buckets because any rule can read the clock: a clock after {@code
   * nowMicros} saves the look-up of the bucket's own rule.
   */
  @SuppressWarnings("ReferenceEquality") // an equal copy of the rule only reads the state again
  private boolean isNeeded(Algorithm algorithm, byte[] row, byte[] value, long nowMicros) {
    Rule most = rules.ofMost(nameOf(row), algorithm).orElse(null);
    StoredState state = most == null ? null : StoredState.load(most, storage, row, value);
    // The bucket was charged after nowMicros, so its row is needed.
    if (state != null && state.clockMicros() > nowMicros) return true;
    Rule rule = ruleOf(row, algorithm).orElse(null);
    if (rule == null) return false;
    if (rule != most) state = StoredState.load(rule, storage, row, value);
    return state.forgottenAt() > nowMicros;
  }

  private boolean sweepFilters(byte[] row, long nowMicros) {
    byte[] limit = RowKeys.headOf(row);
    Filters filters = new Filters(storage.rows(), limit);
    Optional<Rule> rule = ruleOf(limit, Algorithm.BLOOM);
    if (row[0] == RowKeys.HEAD) {
      filters.keepOnly(
          each -> rule.isPresent() && BloomState.isNeeded(rule.get(), each, nowMicros));
      return false;
    }
    boolean needed = row[0] == RecentRecords.KIND ? rule.isPresent() : filters.needs(row);
    return !needed && delete(row);
  }

  private boolean delete(byte[] row) {
    storage.rows().delete(row);
    return true;
  }

  private Optional<Rule> ruleOf(byte[] row, Algorithm algorithm) {
    int keyAt = RowKeys.nameEnd(row) + 2;
    String key = new String(row, keyAt, row.length - keyAt, StandardCharsets.UTF_8);
    return rules.of(nameOf(row), algorithm, key);
  }

  private static String nameOf(byte[] row) {
    return new String(row, 1, RowKeys.nameEnd(row) - 1, StandardCharsets.UTF_8);
  }
}
