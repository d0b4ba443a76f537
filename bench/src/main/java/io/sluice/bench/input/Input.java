package io.sluice.bench.input;

import java.util.Locale;

/**
 * The description of an input.
 *
 * @param keys how many there are that Sluice counts by
 */
public record Input(Kind kind, int keys) {
  /** The keys of most inputs. */
  public static final int FEW = 10_000;

  public static Input inTurns(int users) {
    return new Input(Kind.TURNS, users);
  }

  public String topic() {
    return "actions-%s-%d".formatted(kind.name().toLowerCase(Locale.ROOT), keys);
  }

  /** As people read it. */
  @Override
  public String toString() {
    return "%,d keys, %s".formatted(keys, kind.name().toLowerCase(Locale.ROOT));
  }
}
