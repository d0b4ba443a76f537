package io.sluice.guarantees.evidence;

import java.nio.file.Path;

/** Notes of a run, in files of its folder, about events that its topics do not show. */
public record Notes(Lives lives, Revisions revisions, FaultLog faults) {
  public static Notes in(Path folder) {
    return new Notes(Lives.in(folder), Revisions.in(folder), FaultLog.in(folder));
  }
}
