package io.sluice.topology.store;

import io.sluice.topology.watch.SequenceLock;
import java.util.function.UnaryOperator;

/**
 * Lookup of rows while another thread may change them. A lookup that a change overlapped is
 * repeated.
 *
 * @param changes sequence lock of the writer
 * @param rows lookup of a key, which may fail or be wrong during a change
 */
record SettledReads(SequenceLock changes, UnaryOperator<byte[]> rows) {
  /** Returns the value of a key; repeats the lookup until no change has overlapped it. */
  byte[] get(byte[] key) {
    for (int tries = 0; ; tries++) {
      long seen = changes.settled(tries);
      try {
        byte[] value = rows.apply(key);
        if (changes.isStill(seen)) return value;
      } catch (RuntimeException e) {
        // A change that moved rows during the lookup may have caused the exception.
        if (changes.isStill(seen)) throw e;
      }
    }
  }
}
