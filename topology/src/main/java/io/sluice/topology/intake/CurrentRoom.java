package io.sluice.topology.intake;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.revision.CurrentLimits;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Cache of the size check of events, which depends on the known limits. Creates a new size check
 * when the known limits have changed.
 */
final class CurrentRoom implements Supplier<EventRoom> {
  private final CurrentLimits limits;
  private final Function<List<Limit>, EventRoom> maker;
  private volatile Made made;

  private record Made(Limits limits, EventRoom room) {}

  CurrentRoom(CurrentLimits limits, Function<List<Limit>, EventRoom> maker) {
    this.limits = limits;
    this.maker = maker;
    made = make(limits.known().ever());
  }

  private Made make(Limits ever) {
    return new Made(ever, maker.apply(ever.all()));
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // unchanged limits are the same object
  public EventRoom get() {
    Limits ever = limits.known().ever();
    Made last = made;
    if (last.limits != ever) {
      last = make(ever);
      made = last;
    }
    return last.room;
  }
}
