package io.sluice.bench.input;

import java.util.Locale;

/**
 * Kind of the events of an input topic, and the number of their keys.
 *
 * @param keys number of keys by which Sluice counts
 */
public record Input(Kind kind, int keys) {
  /** Number of keys in most input topics. */
  public static final int FEW = 10_000;

  public static Input inTurns(int users) {
    return new Input(Kind.TURNS, users);
  }

  public String topic() {
    return "actions-%s-%d".formatted(kind.name().toLowerCase(Locale.ROOT), keys);
  }

  /** Returns a description for progress messages. */
  @Override
  public String toString() {
    return "%,d keys, %s".formatted(keys, kind.name().toLowerCase(Locale.ROOT));
  }
}
