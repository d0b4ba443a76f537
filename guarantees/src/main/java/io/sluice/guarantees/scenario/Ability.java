package io.sluice.guarantees.scenario;

/**
 * Ability of the product that a run uses and checks. A run neither configures nor checks an ability
 * that the product does not have yet.
 */
public enum Ability {
  /** Classes, aging and fair shares of events in line. */
  CLASSES(true),
  /** Orders that cancel events in line. */
  CANCEL(true),
  /** Revisions (dated changes of limits) with {@code verdict=pause}. */
  PAUSE(true);

  private final boolean present;

  Ability(boolean present) {
    this.present = present;
  }

  /** Whether the product has the ability. */
  public boolean isPresent() {
    return present;
  }
}
