package io.sluice.topology.store;

import io.sluice.topology.watch.Changes;
import java.util.function.UnaryOperator;

/** Looking up a row while another thread changes rows. */
record SettledReads(Changes changes, UnaryOperator<byte[]> rows) {
  /** What the lookup finds for a key, when nothing changed meanwhile. */
  byte[] get(byte[] key) {
    for (int tries = 0; ; tries++) {
      long seen = changes.settled(tries);
      try {
        byte[] value = rows.apply(key);
        if (changes.isStill(seen)) return value;
      } catch (RuntimeException e) { // of rows that were being moved
        if (changes.isStill(seen)) throw e;
      }
    }
  }
}
