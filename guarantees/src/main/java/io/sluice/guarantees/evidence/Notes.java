package io.sluice.guarantees.evidence;

import java.nio.file.Path;

/**
 * Logs of a test run, in files of its folder, about facts that the topics do not show: starts of
 * instances, revisions (dated changes of limits), faults, orders to cancel events, and threads that
 * lost their partitions.
 */
public record Notes(
    Lives lives, Revisions revisions, FaultLog faults, CancelLog cancels, ThreadFaults threads) {
  public static Notes in(Path folder) {
    return new Notes(
        Lives.in(folder),
        Revisions.in(folder),
        FaultLog.in(folder),
        CancelLog.in(folder),
        new ThreadFaults(folder));
  }
}
