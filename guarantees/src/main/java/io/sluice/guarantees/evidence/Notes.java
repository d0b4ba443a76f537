package io.sluice.guarantees.evidence;

import java.nio.file.Path;

/** What a run writes down in its folder as it happens, since topics do not tell it. */
public record Notes(Lives lives, Revisions revisions, FaultLog faults) {
  public static Notes in(Path folder) {
    return new Notes(Lives.in(folder), Revisions.in(folder), FaultLog.in(folder));
  }
}
