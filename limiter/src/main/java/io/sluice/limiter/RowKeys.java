package io.sluice.limiter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The names of rows: what kind of row, the rule, the shape of what it holds, then the key. */
final class RowKeys {
  static final byte HEAD = 0;

  /** Of a log's entries that count. */
  static final byte PIECE = 1;

  /** Of a log's entries that are only remembered. */
  static final byte SPENT_PIECE = 2;

  /** Of a sketch's registers. */
  private static final byte REGISTERS = 5;

  private RowKeys() {}

  /** REGISTERS, the bucket's row, the number of the piece. */
  static byte[] registers(byte[] row, int number) {
    byte[] name = new byte[row.length + 2];
    name[0] = REGISTERS;
    System.arraycopy(row, 0, name, 1, row.length);
    name[row.length + 1] = (byte) number;
    return name;
  }

  /** HEAD, the rule's name, 0, a letter for the shape of the state, the key in UTF-8. */
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
   * The letter in a row's name, whatever kind of row it is. In snapshots before 0.1, whose values
   * had no version, the letters were small: those rows are of no algorithm.
   */
  static byte shapeOf(byte[] row) {
    return row[nameEnd(row) + 1];
  }

  /** The row of the bucket, or of the limit, that a row of any kind belongs to. */
  static byte[] headOf(byte[] row) {
    int from = row[0] == HEAD ? 0 : 1;
    return Arrays.copyOfRange(row, from, nameEnd(row) + 2);
  }

  /** Where the rule's name ends in a bucket's row. */
  static int nameEnd(byte[] row) {
    int end = row[0] == HEAD ? 1 : 2; // a piece's name holds its bucket's
    while (row[end] != 0) end++;
    return end;
  }
}
