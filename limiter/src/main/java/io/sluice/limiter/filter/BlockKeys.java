package io.sluice.limiter.filter;

import java.util.Arrays;

/**
 * Names of the rows with blocks of Bloom filters: the kind of row, the name of the limit's own row,
 * the id of the generation, the number of the filter in the generation, and the number of the
 * block. The names of most neighbouring blocks differ in the last byte only.
 */
final class BlockKeys {
  /** Kind of the rows that hold blocks of Bloom filters. */
  static final byte BLOCK = 3;

  private static final int NUMBER_BYTES = 3;
  private static final int GROUP = 7;

  private BlockKeys() {}

  /**
   * Builds the name of a block's row.
   *
   * @param head name of the limit's own row
   * @param generation id of the generation
   * @param layer number of the filter in the generation, from 0 on
   * @param block number of the block in the filter, from 0 on
   */
  static byte[] of(byte[] head, long generation, int layer, int block) {
    int idBytes = bytes(generation);
    byte[] key = new byte[1 + head.length + idBytes + 1 + NUMBER_BYTES];
    key[0] = BLOCK;
    System.arraycopy(head, 0, key, 1, head.length);
    int at = 1 + head.length;
    for (int i = idBytes - 1; i >= 0; i--) {
      long group = (generation >>> (GROUP * i)) & 0x7f;
      key[at++] = (byte) (i > 0 ? group | 0x80 : group);
    }
    key[at] = (byte) layer;
    for (int i = 1; i <= NUMBER_BYTES; i++)
      key[at + i] = (byte) (block >>> (8 * (NUMBER_BYTES - i)));
    return key;
  }

  /** Returns the id of the generation from the name of a block's row. */
  static long generation(byte[] key, int headLength) {
    long id = 0;
    for (int at = 1 + headLength; ; at++) {
      id = (id << GROUP) | (key[at] & 0x7f);
      if (key[at] >= 0) return id;
    }
  }

  /** Returns the name of the limit's own row from the name of a block's row. */
  static byte[] head(byte[] key, int headLength) {
    return Arrays.copyOfRange(key, 1, 1 + headLength);
  }

  private static int bytes(long generation) {
    int bytes = 1;
    for (long rest = generation >>> GROUP; rest > 0; rest >>>= GROUP) bytes++;
    return bytes;
  }
}
