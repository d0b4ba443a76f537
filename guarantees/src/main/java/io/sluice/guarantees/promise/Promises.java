package io.sluice.guarantees.promise;

import io.sluice.guarantees.scenario.Ability;
import java.util.ArrayList;
import java.util.List;

/** List of all guarantees that a run checks, in the order of the report. */
public final class Promises {
  private Promises() {}

  public static List<Guarantee> all() {
    List<Guarantee> all =
        new ArrayList<>(
            List.of(
                new NothingLost(),
                new NothingTwice(),
                new RightEnd(),
                new BytesUntouched(),
                new NeverOverLimit(),
                new SameAgain(),
                new RightRule(),
                new KeyOrderKept(),
                new LineOrderKept(),
                new NoHeadOfLineBlocking(),
                new NeverEarly(),
                new StaysUp()));
    if (Ability.CLASSES.isPresent()) all.addAll(List.of(new PriorityKept(), new FairShare()));
    if (Ability.CANCEL.isPresent()) all.add(new CancelKept());
    if (Ability.PAUSE.isPresent()) all.add(new PauseKept());
    return List.copyOf(all);
  }
}
