/**
 * Results of a test run: records of topics, and logs of instances, revisions (dated changes of
 * limits) and faults. Start at {@link io.sluice.guarantees.evidence.History}, which contains all
 * results that are checked; {@link io.sluice.guarantees.evidence.Evidence} reads the records. The
 * package may depend on {@code scenario}.
 */
package io.sluice.guarantees.evidence;
