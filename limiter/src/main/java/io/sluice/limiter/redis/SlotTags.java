package io.sluice.limiter.redis;

import redis.clients.jedis.util.JedisClusterCRC16;

/** Table with a hash tag for every slot of a Cluster: a key with the tag is in the slot. */
final class SlotTags {
  private static final int SLOTS = 1 << 14;

  private SlotTags() {}

  /**
   * Table of the hash tags, created on first use, because it takes some hundred thousand checksums.
   */
  private static final class Table {
    static final String[] TAGS = find();

    private static String[] find() {
      String[] tags = new String[SLOTS];
      int left = SLOTS;
      for (int i = 0; left > 0; i++) {
        String tag = Integer.toString(i, Character.MAX_RADIX);
        int slot = JedisClusterCRC16.getSlot(tag);
        if (tags[slot] != null) continue;
        tags[slot] = tag;
        left--;
      }
      return tags;
    }
  }

  static String of(int slot) {
    return Table.TAGS[slot];
  }
}
