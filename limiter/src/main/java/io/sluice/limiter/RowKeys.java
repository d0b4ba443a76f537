package io.sluice.limiter;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Names of the rows in a key-value store of bytes: the kind of row, the rule's name, a letter for
 * the format of the state, then the key that is limited.
 */
final class RowKeys {
  static final byte HEAD = 0;

  /** Kind of the rows that hold entries of a sliding window log that count towards its quota. */
  static final byte PIECE = 1;

  /**
   * Kind of the rows that hold entries of a sliding window log that do not count any more, and only
   * serve to recognise repeated arrivals.
   */
  static final byte SPENT_PIECE = 2;

  /** Kind of the rows that hold HyperLogLog registers. */
  private static final byte REGISTERS = 5;

  private RowKeys() {}

  /**
   * Builds the name of a row with HyperLogLog registers: REGISTERS, the name of the bucket's row,
   * and the number of the group of registers in one byte.
   */
  static byte[] registers(byte[] row, int number) {
    byte[] name = new byte[row.length + 2];
    name[0] = REGISTERS;
    System.arraycopy(row, 0, name, 1, row.length);
    name[row.length + 1] = (byte) number;
    return name;
  }

  /**
   * Builds the name of a bucket's row: HEAD, the rule's name, a zero byte, a letter for the format
   * of the state, and the key in UTF-8.
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
   * Returns the letter for the format of the state, from the name of any row. Small letters belong
   * to no algorithm: they are in rows of snapshots before 0.1, whose values had no version.
   */
  static byte shapeOf(byte[] row) {
    return row[nameEnd(row) + 1];
  }

  /**
   * Returns the name of the row that a limit has for all of its keys (HEAD, the rule's name, a zero
   * byte, the letter), from the name of any row of the limit.
   */
  static byte[] headOf(byte[] row) {
    int from = row[0] == HEAD ? 0 : 1;
    return Arrays.copyOfRange(row, from, nameEnd(row) + 2);
  }

  /** Returns the index of the zero byte after the rule's name, in the name of any row. */
  static int nameEnd(byte[] row) {
    int end = row[0] == HEAD ? 1 : 2; // other kinds put one byte before the name of a HEAD row
    while (row[end] != 0) end++;
    return end;
  }
}
