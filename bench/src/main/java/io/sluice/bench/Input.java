package io.sluice.bench;

import java.util.Locale;

/**
 * The description of an input.
 *
 * @param keys how many there are that Sluice counts by
 */
record Input(Kind kind, int keys) {
  static Input inTurns(int users) {
    return new Input(Kind.TURNS, users);
  }

  String topic() {
    return "actions-%s-%d".formatted(kind.name().toLowerCase(Locale.ROOT), keys);
  }

  /** As people read it. */
  @Override
  public String toString() {
    return "%,d keys, %s".formatted(keys, kind.name().toLowerCase(Locale.ROOT));
  }
}
