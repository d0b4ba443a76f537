package io.sluice.limiter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Names of rows: the kind of row, the rule, a letter for the format of the state, then the key. */
final class RowKeys {
  static final byte HEAD = 0;

  /** Kind of the rows with a log's counted entries. */
  static final byte PIECE = 1;

  /** Kind of the rows with a log's entries that do not count, and are only remembered. */
  static final byte SPENT_PIECE = 2;

  /** Kind of the rows with a sketch's registers. */
  private static final byte REGISTERS = 5;

  private RowKeys() {}

  /** Builds a name: REGISTERS, the bucket's row, the number of the piece. */
  static byte[] registers(byte[] row, int number) {
    byte[] name = new byte[row.length + 2];
    name[0] = REGISTERS;
    System.arraycopy(row, 0, name, 1, row.length);
    name[row.length + 1] = (byte) number;
    return name;
  }

  /**
   * Builds a name: HEAD, the rule's name, 0, a letter for the format of the state, the key in
   * UTF-8.
   */
  static byte[] head(Rule rule, String key) {
    byte[] name = rule.name().getBytes(StandardCharsets.UTF_8);
    byte[] id = key.getBytes(StandardCharsets.UTF_8);
    byte[] row = new byte[name.length + id.length + 3];
    row[0] = HEAD;
    System.arraycopy(name, 0, row, 1, name.length);
    row[name.length + 2] = rule.algorithm().traits().letter();
    System.arraycopy(id, 0, row, name.length + 3, id.length);
    return row;
  }

  /**
   * Returns the letter for the state's format in the name of any row. Rows of snapshots before 0.1,
   * whose values had no version, have small letters, which belong to no algorithm.
   */
  static byte shapeOf(byte[] row) {
    return row[nameEnd(row) + 1];
  }

  /**
   * Returns the name of the limit's own row (HEAD, the rule's name, 0, the letter) from the name of
   * any of its rows.
   */
  static byte[] headOf(byte[] row) {
    int from = row[0] == HEAD ? 0 : 1;
    return Arrays.copyOfRange(row, from, nameEnd(row) + 2);
  }

  /** Returns the index of the 0 after the rule's name, in the name of any row. */
  static int nameEnd(byte[] row) {
    int end = row[0] == HEAD ? 1 : 2; // other kinds: a byte, then the bucket's row
    while (row[end] != 0) end++;
    return end;
  }
}
