package io.sluice.limiter.filter;

import java.util.Arrays;

/**
 * The names of the rows that blocks are in: a kind, the limit's row, the generation, which filter
 * of it, and the block's number, whose last byte is the name's: neighbours differ in it alone.
 */
final class BlockKeys {
  /** The kind of these rows. */
  static final byte BLOCK = 3;

  private static final int NUMBER_BYTES = 3;
  private static final int GROUP = 7;

  private BlockKeys() {}

  /**
   * @param head the limit's own row
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

  /** The generation that such a name tells of. */
  static long generation(byte[] key, int headLength) {
    long id = 0;
    for (int at = 1 + headLength; ; at++) {
      id = (id << GROUP) | (key[at] & 0x7f);
      if (key[at] >= 0) return id;
    }
  }

  /** The limit's own row. */
  static byte[] head(byte[] key, int headLength) {
    return Arrays.copyOfRange(key, 1, 1 + headLength);
  }

  private static int bytes(long generation) {
    int bytes = 1;
    for (long rest = generation >>> GROUP; rest > 0; rest >>>= GROUP) bytes++;
    return bytes;
  }
}
