package io.sluice.limiter;

import java.nio.charset.StandardCharsets;

/** How rows are named: what kind of row, the rule, the shape of what it holds, then the key. */
final class RowKeys {
  static final byte HEAD = 0;
  static final byte PIECE = 1;

  private RowKeys() {}

  /** HEAD, the rule's name, 0, a letter for the shape of the state, the key in UTF-8. */
  static byte[] head(Rule rule, String key) {
    byte[] name = rule.name().getBytes(StandardCharsets.UTF_8);
    byte[] id = key.getBytes(StandardCharsets.UTF_8);
    byte[] row = new byte[name.length + id.length + 3];
    row[0] = HEAD;
    System.arraycopy(name, 0, row, 1, name.length);
    row[name.length + 2] = shape(rule.algorithm());
    System.arraycopy(id, 0, row, name.length + 3, id.length);
    return row;
  }

  /** Changes when the bytes of a state do, so that old rows are left alone until they are swept. */
  static byte shape(Algorithm algorithm) {
    return switch (algorithm) {
      case GCRA -> 'g';
      case SLIDING_WINDOW_LOG -> 'l';
      case SLIDING_WINDOW_COUNTER -> 'c';
    };
  }
}
