package io.sluice.guarantees.scenario;

import java.util.Arrays;

/**
 * Ability of the product that a run uses and checks. A run neither configures nor checks an ability
 * that the product does not have yet.
 */
public enum Ability {
  /** Classes, aging and fair shares of events in line. */
  CLASSES(false),
  /** Orders that cancel events in line. */
  CANCEL(false),
  /** Revisions (dated changes of limits) with {@code verdict=pause}. */
  PAUSE(false);

  private final boolean present;

  Ability(boolean present) {
    this.present = present;
  }

  /** Whether the product has the ability. */
  public boolean isPresent() {
    return present;
  }

  /** Whether the product has all of these abilities. */
  public static boolean arePresent(Ability... abilities) {
    return Arrays.stream(abilities).allMatch(Ability::isPresent);
  }
}
