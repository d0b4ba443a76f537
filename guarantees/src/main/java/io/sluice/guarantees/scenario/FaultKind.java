package io.sluice.guarantees.scenario;

import java.util.EnumSet;
import java.util.Set;

/**
 * Kinds of faults in test runs. A run continues until each kind that its modes require has
 * happened, and fails if one never did.
 */
public enum FaultKind {
  KILL("an instance is killed", Meets.OTHERS, 2),
  KILL_ALL("all instances are killed at once", Meets.OTHERS, 1),
  FREEZE("an instance stands still, up to 18 s", Meets.OTHERS, 2),
  NAP("an instance stands still for less than a session", Meets.OTHERS, 2),
  MOVE_ON("an instance is added, or told to end", Meets.OTHERS, 1),
  BACKLOG("events that retry wait for all instances", Meets.OTHERS, 1),
  SUSPEND("an instance sleeps until a revision is forgotten", Meets.OTHERS, 1),

  KILL_BROKER("the broker is killed", Meets.OTHERS, 1),
  FREEZE_BROKER("the broker stands still", Meets.OTHERS, 1),
  OUTLAST(
      "the broker stands still longer than timeouts", Meets.OTHERS, 1, Runs.WITH_SHORT_TIMEOUTS),
  LOSE_BROKER("no broker until no instance is ready", Meets.NONE, 1),
  SHRINK_TOPIC("a topic takes less for a while", Meets.OTHERS, 1),

  KILL_REDIS("Redis is killed", Meets.OTHERS, 1),
  FREEZE_REDIS("Redis stands still", Meets.OTHERS, 1),
  FLUSH_SCRIPTS("Redis forgets its scripts", Meets.OTHERS, 1),
  LOSE_REDIS("no Redis for events with limits on both backends", Meets.NONE, 1),
  SPOIL_KEY("a key in Redis is of another type", Meets.OTHERS, 1),
  FAIL_REGISTRY("the schema registry fails", Meets.OTHERS, 1),
  STEP_CLOCK("the clocks of all users are wrong", Meets.OTHERS, 1, Runs.BY_EVENT_TIME),
  POISON("records that are no events", Meets.OTHERS, 1),
  LARGE("events near the size that a topic takes", Meets.OTHERS, 1);

  private enum Meets {
    /** Faults that may happen at the same time as others. */
    OTHERS,
    /**
     * Faults that must happen alone, because they check the health endpoints of healthy instances.
     */
    NONE
  }

  /** Modes of the runs that must have a kind of fault. */
  private enum Runs {
    ALL,
    BY_EVENT_TIME,
    WITH_SHORT_TIMEOUTS;

    boolean include(Modes modes) {
      return switch (this) {
        case ALL -> true;
        case BY_EVENT_TIME -> !modes.wallClock();
        case WITH_SHORT_TIMEOUTS -> modes.shortTimeouts();
      };
    }
  }

  private final String text;
  private final Meets meets;
  private final int times;
  private final Runs runs;

  FaultKind(String text, Meets meets, int times) {
    this(text, meets, times, Runs.ALL);
  }

  FaultKind(String text, Meets meets, int times, Runs runs) {
    this.text = text;
    this.meets = meets;
    this.times = times;
    this.runs = runs;
  }

  /** Returns the kinds of faults that a run with the given modes must have. */
  public static Set<FaultKind> of(Modes modes) {
    Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
    kinds.removeIf(kind -> !kind.runs.include(modes));
    return kinds;
  }

  /** Whether a fault of this kind must not overlap any other fault. */
  public boolean isAlone() {
    return meets == Meets.NONE;
  }

  /** Returns the relative frequency of faults of this kind, after each kind has happened once. */
  public int times() {
    return times;
  }

  @Override
  public String toString() {
    return text;
  }
}
