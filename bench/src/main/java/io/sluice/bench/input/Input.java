package io.sluice.bench.input;

import java.util.Locale;

/**
 * Kind and number of keys of an input topic.
 *
 * @param keys number of keys that Sluice counts by
 */
public record Input(Kind kind, int keys) {
  /** Number of keys in most inputs. */
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
