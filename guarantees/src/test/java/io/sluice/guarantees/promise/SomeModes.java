package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Modes;

/** Modes that differ from the default in one respect. */
final class SomeModes {
  private SomeModes() {}

  static Modes atLeastOnce() {
    return of(false, false, false, Modes.WithoutRedis.WAIT, Modes.Duplicates.REJECT);
  }

  static Modes byWallClock() {
    return of(true, true, false, Modes.WithoutRedis.WAIT, Modes.Duplicates.REJECT);
  }

  static Modes countingTries() {
    return of(true, false, true, Modes.WithoutRedis.WAIT, Modes.Duplicates.REJECT);
  }

  static Modes without(Modes.WithoutRedis then) {
    return without(then, true);
  }

  static Modes without(Modes.WithoutRedis then, boolean exactlyOnce) {
    return of(exactlyOnce, false, false, then, Modes.Duplicates.REJECT);
  }

  static Modes repeating() {
    return of(true, false, false, Modes.WithoutRedis.WAIT, Modes.Duplicates.REPEAT);
  }

  private static Modes of(
      boolean exactlyOnce,
      boolean wallClock,
      boolean countsTries,
      Modes.WithoutRedis withoutRedis,
      Modes.Duplicates duplicates) {
    return new Modes(
        exactlyOnce,
        wallClock,
        countsTries,
        withoutRedis,
        duplicates,
        false,
        false,
        1,
        false,
        false,
        false);
  }
}
