package io.sluice.topology.store;

import io.sluice.topology.watch.SequenceLock;
import java.util.function.UnaryOperator;

/** Looks up rows while another thread changes them, with the sequence lock {@link SequenceLock}. */
record SettledReads(SequenceLock changes, UnaryOperator<byte[]> rows) {
  /** Returns the value of a key; repeats the lookup until nothing has changed during it. */
  byte[] get(byte[] key) {
    for (int tries = 0; ; tries++) {
      long seen = changes.settled(tries);
      try {
        byte[] value = rows.apply(key);
        if (changes.isStill(seen)) return value;
      } catch (RuntimeException e) { // rows may have been moving
        if (changes.isStill(seen)) throw e;
      }
    }
  }
}
